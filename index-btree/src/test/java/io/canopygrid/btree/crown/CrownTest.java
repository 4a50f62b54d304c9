package io.canopygrid.btree.crown;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CrownTest {
  /** Kcls above are those of subtrees. */
  private static final long KCL = 1L << 32;

  private final MapView top =
      new MapView()
          .put(CatalogEntry.key("zzz"), new byte[1])
          .put(new CrownEntry(6, bytes(""), KCL + 60, 0))
          .put(new CrownEntry(7, bytes(""), KCL + 70, 0))
          .put(new CrownEntry(7, bytes("g"), KCL + 71, KCL + 70))
          .put(new CrownEntry(7, bytes("p"), KCL + 72, KCL + 71))
          .put(new CrownEntry(9, bytes(""), KCL + 90, 0))
          .put(CompositeKey.of(3, bytes("beyond")), new byte[1]);

  @Test
  void findsTheSubtreeOfAKey() {
    assertThat(Crown.subtreeOf(top, 7, bytes(""))).isEqualTo(KCL + 70);
    assertThat(Crown.subtreeOf(top, 7, bytes("fzz"))).isEqualTo(KCL + 70);
    assertThat(Crown.subtreeOf(top, 7, bytes("g"))).isEqualTo(KCL + 71);
    assertThat(Crown.subtreeOf(top, 7, bytes("p\0"))).isEqualTo(KCL + 72);
    assertThat(Crown.subtreeOf(top, 6, bytes("zzz"))).isEqualTo(KCL + 60);
  }

  @Test
  void knowsNothingOfAnIndexItHasNoEntryOf() {
    assertThat(Crown.subtreeOf(top, 8, bytes("a"))).isEqualTo(SubtreeHeader.NONE);
    assertThat(Crown.subtreeBelow(top, 5, null)).isEqualTo(SubtreeHeader.NONE);
    assertThat(Crown.entryBelow(top, 8, bytes("a"))).isNull();
  }

  @Test
  void findsTheSubtreeBelowAnEnd() {
    assertThat(Crown.subtreeBelow(top, 7, null)).isEqualTo(KCL + 72);
    assertThat(Crown.subtreeBelow(top, 7, bytes("p"))).isEqualTo(KCL + 71);
    assertThat(Crown.subtreeBelow(top, 7, bytes("p\0"))).isEqualTo(KCL + 72);
    assertThat(Crown.subtreeBelow(top, 9, null)).isEqualTo(KCL + 90);
  }

  @Test
  void findsTheEntryBelowAnEnd() {
    CrownEntry below = Crown.entryBelow(top, 7, bytes("k"));
    assertThat(below == null ? null : below.separator()).isEqualTo(bytes("g"));
    CrownEntry last = Crown.entryBelow(top, 7, null);
    assertThat(last == null ? 0 : last.cameFrom()).isEqualTo(KCL + 71);
  }

  @Test
  void passesOverTombstones() {
    top.put(new CrownEntry(7, bytes("p"), KCL + 72, KCL + 71).key(), null);
    assertThat(Crown.subtreeOf(top, 7, bytes("x"))).isEqualTo(KCL + 71);
  }

  @Test
  void walksThroughAllIndexes() {
    List<Long> kcls = new ArrayList<>();
    Crown.forEach(top, entry -> kcls.add(entry.kcl()));
    assertThat(kcls).containsExactly(KCL + 60, KCL + 70, KCL + 71, KCL + 72, KCL + 90);
  }

  @Test
  void agreesWithATreeMap() {
    long seed = 15;
    Random random = new Random(seed);
    MapView view = new MapView();
    TreeMap<String, Long> twin = new TreeMap<>();
    twin.put("", KCL + 100);
    view.put(new CrownEntry(1, bytes(""), KCL + 100, 0));
    for (int i = 0; i < 3_000; i++) {
      String key = Integer.toString(random.nextInt(5_000), 36);
      if (random.nextInt(3) == 0) {
        long kcl = KCL + 101 + i;
        twin.put(key, kcl);
        view.put(new CrownEntry(1, bytes(key), kcl, KCL + 100));
      }
      assertThat(Crown.subtreeOf(view, 1, bytes(key)))
          .as("seed %s step %s key %s", seed, i, key)
          .isEqualTo(twin.floorEntry(key).getValue());
      String lower = twin.lowerKey(key);
      long below = lower == null ? SubtreeHeader.NONE : value(twin.get(lower));
      assertThat(Crown.subtreeBelow(view, 1, bytes(key)))
          .as("seed %s step %s key %s", seed, i, key)
          .isEqualTo(below);
    }
  }

  @Test
  void catalogEntryReadsBack() {
    CatalogEntry entry = new CatalogEntry(5, 1L << 40, "int64", "json(a.B)", 1024);
    assertThat(CatalogEntry.decode(entry.encode())).isEqualTo(entry);
    assertThat(CatalogEntry.name(CatalogEntry.key("a.b-c_9").ku())).isEqualTo("a.b-c_9");
    assertThat(CatalogEntry.NUMBERS).isLessThan(CatalogEntry.key("A"));
  }

  private static long value(@Nullable Long boxed) {
    return boxed == null ? SubtreeHeader.NONE : boxed;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
