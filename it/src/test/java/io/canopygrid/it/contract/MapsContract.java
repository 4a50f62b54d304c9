package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.ReadView;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/**
 * The two faces of an index that are maps of the JDK, as far as they are more than such maps:
 * Guava's suites, in another package, know what maps have to do.
 */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class MapsContract extends Theme {
  /** Enough for some batches of an iterator, and for more than one of {@code clear}. */
  private static final int MANY = 1_100;

  MapsContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void aMapInATransactionIsTheView() {
    write(v -> {
      NavigableMap<String, String> map = v.asNavigableMap();
      v.put("a", "1");
      assertThat(map.get("a")).isEqualTo("1");
      assertThat(map.put("a", "2")).isEqualTo("1");
      map.putAll(Map.of("b", "3", "c", "4"));
      assertThat(v.get("b")).isEqualTo("3");
      for (Map.Entry<String, String> entry : map.tailMap("b", true).entrySet()) {
        entry.setValue(entry.getValue() + "!");
      }
      map.descendingMap().headMap("b").clear();
    });
    assertThat(all()).containsExactly(Map.entry("a", "2"), Map.entry("b", "3!"));
  }

  @Test
  void itsWritesAreTheTransactions() {
    Transaction tx = db.begin();
    NavigableMap<String, String> map = tx.on(index).asNavigableMap();
    map.put("a", "1");
    assertThat(get("a")).isNull();
    tx.rollback();
    assertThat(get("a")).isNull();
  }

  @Test
  void aMapOfAPlainReadCannotBeChanged() {
    letters();
    read(v -> {
      NavigableMap<String, String> map = v.asNavigableMap();
      assertThat(map).hasSize(26).containsEntry("q", "Q");
      assertThat(map.descendingKeySet().headSet("x", true)).containsExactly("z", "y", "x");
      Iterator<Map.Entry<String, String>> entries = map.entrySet().iterator();
      Map.Entry<String, String> first = entries.next();
      List<ThrowingCallable> changes =
          List.of(
              () -> map.put("a", "1"),
              () -> map.putAll(Map.of("a", "1")),
              () -> map.remove("a"),
              () -> map.remove("a", "A"),
              () -> map.replace("a", "1"),
              () -> map.merge("a", "1", String::concat),
              () -> map.clear(),
              () -> map.pollFirstEntry(),
              () -> map.keySet().remove("a"),
              () -> map.values().removeIf(value -> true),
              () -> entries.remove(),
              () -> first.setValue("1"));
      for (ThrowingCallable change : changes) {
        assertThatThrownBy(change).isInstanceOf(UnsupportedOperationException.class);
      }
    });
    assertThat(all()).hasSize(26);
  }

  @Test
  void mapsAndTheirViewsDieWithTheTransaction() {
    letters();
    Transaction tx = db.begin();
    MutableView<String, String> view = tx.on(index);
    NavigableMap<String, String> map = view.asNavigableMap();
    NavigableMap<String, String> part = map.subMap("c", true, "f", false);
    Iterator<String> keys = map.keySet().iterator();
    keys.next();
    tx.commit();
    refused(ErrorCode.TRANSACTION_CLOSED, view::asNavigableMap);
    refused(ErrorCode.TRANSACTION_CLOSED, () -> map.get("a"));
    refused(ErrorCode.TRANSACTION_CLOSED, () -> map.put("a", "1"));
    refused(ErrorCode.TRANSACTION_CLOSED, part::size);
    refused(ErrorCode.TRANSACTION_CLOSED, () -> part.values().iterator());
    refused(ErrorCode.TRANSACTION_CLOSED, keys::next);
    refused(ErrorCode.TRANSACTION_CLOSED, keys::remove);
    ReadView<String, String> dead = db.read(ended -> ended.on(index));
    refused(ErrorCode.TRANSACTION_CLOSED, dead::asNavigableMap);
  }

  @Test
  void eachCallOfTheOtherMapIsATransaction() {
    ConcurrentNavigableMap<String, String> map = db.map(index);
    map.put("a", "1");
    assertThat(get("a")).isEqualTo("1");
    assertThat(getThere("a")).isEqualTo("1");
    overwrite("a", "2");
    assertThat(map.get("a")).isEqualTo("2");
    map.putAll(map.descendingMap());
    assertThat(map.pollLastEntry()).isEqualTo(Map.entry("a", "2"));
    assertThat(all()).isEmpty();
    TransactionOptions labelled = TransactionOptions.labelled(name);
    db.map(labelled, index).put("b", "3");
    assertThat(db.stats().byLabel().get(name).commits()).isEqualTo(1);
  }

  @Test
  void itsCallsAreAtomic() {
    ConcurrentNavigableMap<String, String> map =
        db.map(TransactionOptions.DEFAULTS.withMaxAttempts(1_000), index);
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(
          CompletableFuture.runAsync(() -> {
            for (int j = 0; j < 25; j++) {
              map.merge("merged", "x", String::concat);
              map.compute("computed", (key, old) -> old == null ? "x" : old + "x");
            }
          }));
    }
    all.forEach(CompletableFuture::join);
    assertThat(map.values()).hasSize(2).allMatch(value -> value.equals("x".repeat(100)));
  }

  @Test
  void aFunctionRunsAgainAfterAConflict() {
    ConcurrentNavigableMap<String, String> map = db.map(index);
    map.put("a", "1");
    AtomicInteger runs = new AtomicInteger();
    String made =
        map.compute(
            "a",
            (key, old) -> {
              if (runs.incrementAndGet() == 1) {
                overwrite("a", "2");
              }
              return old + "!";
            });
    assertThat(made).isEqualTo("2!");
    assertThat(runs).hasValue(2);
    assertThat(get("a")).isEqualTo("2!");
  }

  @Test
  void itsCallsAreRefusedInABody() {
    ConcurrentNavigableMap<String, String> map = db.map(index);
    db.run(tx -> {
      refused(ErrorCode.NESTED_TRANSACTION, () -> map.get("a"));
      refused(ErrorCode.NESTED_TRANSACTION, () -> map.put("a", "1"));
      refused(ErrorCode.NESTED_TRANSACTION, () -> map.entrySet().iterator().hasNext());
    });
    refused(ErrorCode.NESTED_TRANSACTION, () -> map.compute("a", (key, old) -> map.get("b")));
  }

  @Test
  void aMapIsOfItsHandle() {
    refused(ErrorCode.FOREIGN_INDEX, () -> other.map(index));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.map(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.map(null, index));
    Canopy handle = grid.fresh();
    Index<String, String> own = handle.index(name, Codec.string(), Codec.string());
    ConcurrentNavigableMap<String, String> map = handle.map(own);
    handle.close();
    refused(ErrorCode.CANOPY_CLOSED, () -> handle.map(own));
    refused(ErrorCode.CANOPY_CLOSED, () -> map.get("a"));
  }

  @Test
  void aMapOfANamedSnapshotShowsIt() {
    letters();
    db.snapshot(name);
    overwrite("a", "new");
    ConcurrentNavigableMap<String, String> map =
        db.map(TransactionOptions.DEFAULTS.at(name), index);
    assertThat(map).hasSize(26).containsEntry("a", "A");
    refused(ErrorCode.INVALID_ARGUMENT, () -> map.put("a", "1"));
    db.dropSnapshot(name);
  }

  /** An index whose subtrees have room. */
  private ConcurrentNavigableMap<String, String> many() {
    ConcurrentNavigableMap<String, String> map =
        db.map(db.index(name + "-large", index.keyCodec(), index.valueCodec()));
    TreeMap<String, String> entries = new TreeMap<>();
    IntStream.range(0, MANY).forEach(i -> entries.put("%04d".formatted(i), "v"));
    map.putAll(entries);
    return map;
  }

  @Test
  void iteratorsShowWhatIsThereAllTheTime() {
    ConcurrentNavigableMap<String, String> map = many();
    for (NavigableMap<String, String> side : List.of(map, map.descendingMap())) {
      List<String> seen = new ArrayList<>();
      for (String key : side.keySet()) {
        seen.add(key);
        map.remove(key + "x");
        map.remove("%04d".formatted(MANY - 1 - Integer.parseInt(key.substring(0, 4))) + "x");
        map.put(key + "y", "w");
      }
      assertThat(seen).doesNotHaveDuplicates().isSortedAccordingTo(side.comparator());
      List<String> stable = map.keySet().stream().filter(key -> key.length() == 4).toList();
      assertThat(stable).hasSize(MANY);
      assertThat(seen).containsAll(stable);
      map.keySet().removeIf(key -> key.length() > 4);
    }
  }

  @Test
  void clearTakesAwayAllOfItsPart() {
    ConcurrentNavigableMap<String, String> map = many();
    map.subMap("0003", true, "1050", false).clear();
    assertThat(map).hasSize(MANY - 1_047).containsKeys("0002", "1050");
    map.clear();
    assertThat(map).isEmpty();
  }

  @Test
  void anEntryThatIsGoneOrChangedIsLeftAlone() {
    letters();
    ConcurrentNavigableMap<String, String> map = db.map(index);
    Map.Entry<String, String> first = map.entrySet().iterator().next();
    assertThat(first.setValue("new")).isEqualTo("A");
    assertThat(get("a")).isEqualTo("new");
    write(v -> v.remove("a"));
    assertThatThrownBy(() -> first.setValue("newer")).isInstanceOf(IllegalStateException.class);
    assertThat(get("a")).isNull();
    assertThat(
            map.values()
                .removeIf(value -> {
                  if (value.equals("B")) {
                    overwrite("d", "changed");
                  }
                  return value.equals("B") || value.equals("D");
                }))
        .isTrue();
    assertThat(map).hasSize(24).containsEntry("d", "changed").doesNotContainKey("b");
  }

  @Test
  void valuesAreTheSameByTheirEncodedForm() {
    Index<Long, byte[]> arrays = db.index(name + "-bytes", Codec.int64(), Codec.bytes());
    ConcurrentNavigableMap<Long, byte[]> map = db.map(arrays);
    map.put(1L, new byte[] {1});
    assertThat(map.containsValue(new byte[] {1})).isTrue();
    assertThat(map.containsValue(new byte[] {2})).isFalse();
    assertThat(map.replace(1L, new byte[] {2}, new byte[] {3})).isFalse();
    assertThat(map.replace(1L, new byte[] {1}, new byte[] {3})).isTrue();
    assertThat(map.remove(1L, new byte[] {1})).isFalse();
    Object text = "text";
    assertThat(map.remove(1L, text)).isFalse();
    assertThat(map.remove(1L, new byte[] {3})).isTrue();
    assertThat(map).isEmpty();
  }

  @Test
  void theOrderIsTheCodecs() {
    Index<Long, String> numbers = db.index(name + "-numbers", Codec.int64(), Codec.string());
    assertThat(db.map(numbers).comparator()).isNull();
    String face = "\uD83D\uDE00";
    String half = "\uFF5E";
    assertThat(face).isLessThan(half);
    NavigableMap<String, String> map = db.map(index);
    map.put(face, "a code point above");
    map.put(half, "one below");
    assertThat(map.keySet()).containsExactly(half, face);
    TreeMap<String, String> copy = new TreeMap<>(map);
    assertThat(copy.keySet()).containsExactly(half, face);
    assertThat(map.comparator()).isEqualTo(db.map(index).comparator());
    assertThat(map.descendingMap().comparator().compare(half, face)).isPositive();
    assertThat(map.headMap(face, false)).hasSize(1);
    assertThatThrownBy(() -> map.subMap(face, half)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keysOutOfOrderAreRefusedAsByTheJdk() {
    NavigableMap<String, String> map = db.map(index);
    NavigableMap<String, String> part = map.subMap("b", true, "d", false);
    assertThatThrownBy(() -> part.put("d", "1")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> part.headMap("e")).isInstanceOf(IllegalArgumentException.class);
    NavigableMap<String, String> open = map.subMap("b", false, "d", false);
    assertThat(open.tailMap("b", false).headMap("d", false)).isEmpty();
    assertThatThrownBy(() -> open.tailMap("b", true)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> open.headMap("d", true)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> map.get(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.put("a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ((Map<?, ?>) map).get(1L)).isInstanceOf(ClassCastException.class);
    refused(ErrorCode.KEY_TOO_LARGE, () -> map.put("x".repeat(9_000), "1"));
    refused(ErrorCode.CODEC_FAILURE, () -> map.get("\uD83D"));
  }
}
