package io.canopygrid.btree.access.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RehomingTest {
  private static final long OLD = 100;
  private static final long NEW = 200;
  private static final long OTHER = 300;

  private final SubtreeHeader header =
      new SubtreeHeader(1, 8, new byte[0], key("m"), 0, NEW, 0, null, 0, 0);

  @Test
  void leavesAloneWhatIsStillCovered() {
    Footprint footprint =
        new Footprint(
            List.of(new KeyRead(at(OLD, "a"), Seen.ABSENT), new KeyRead(at(OTHER, "x"), seen(1))),
            List.of(range(OLD, "a", "m"), range(OTHER, "a", null)),
            List.of(new Write(at(OLD, "b"), new byte[1], null)));
    assertThat(rehomed(footprint)).isSameAs(footprint);
  }

  @Test
  void movesKeysAtAndAboveTheEnd() {
    Footprint footprint =
        new Footprint(
            List.of(new KeyRead(at(OLD, "a"), seen(1)), new KeyRead(at(OLD, "m"), seen(2))),
            List.of(),
            List.of(
                new Write(at(OLD, "lz"), new byte[1], null), new Write(at(OLD, "z"), null, null)));
    Footprint rehomed = rehomed(footprint);
    assertThat(rehomed.reads())
        .containsExactly(new KeyRead(at(OLD, "a"), seen(1)), new KeyRead(at(NEW, "m"), seen(2)));
    assertThat(rehomed.writes().get(0).key()).isEqualTo(at(OLD, "lz"));
    assertThat(rehomed.writes().get(1).key()).isEqualTo(at(NEW, "z"));
    assertThat(rehomed.writes().get(1).value()).isNull();
  }

  @Test
  void aSchemaGoesWhereRowsGo() {
    KeyRead here = new KeyRead(EntryKeys.schema(OLD, 3), Seen.ABSENT);
    KeyRead there = new KeyRead(EntryKeys.schema(NEW, 3), Seen.ABSENT);
    KeyRead elsewhere = new KeyRead(EntryKeys.schema(OTHER, 3), Seen.ABSENT);
    Write low = new Write(at(OLD, "b"), new byte[1], null);
    Write high = new Write(at(OLD, "z"), new byte[1], null);
    assertThat(rehomedReads(List.of(here, elsewhere), low, high))
        .containsExactly(here, there, elsewhere);
    assertThat(rehomedReads(List.of(here, there), high)).containsExactly(there);
    assertThat(rehomedReads(List.of(here), low)).containsExactly(here);
  }

  private List<KeyRead> rehomedReads(List<KeyRead> reads, Write... writes) {
    return rehomed(new Footprint(reads, List.of(), List.of(writes))).reads();
  }

  @Test
  void cutsARangeAtTheEnd() {
    KeyRead low = new KeyRead(at(OLD, "c"), seen(1));
    KeyRead high = new KeyRead(at(OLD, "q"), new Seen(new TxId(new NodeId(1), 2), true));
    Footprint rehomed =
        rehomed(new Footprint(List.of(), List.of(range(OLD, "b", null, low, high)), List.of()));
    assertThat(rehomed.ranges()).hasSize(2);
    assertSame(rehomed.ranges().get(0), range(OLD, "b", "m", low));
    assertSame(
        rehomed.ranges().get(1), range(NEW, "m", null, new KeyRead(at(NEW, "q"), high.seen())));
  }

  @Test
  void movesARangeThatBeginsAboveTheEnd() {
    KeyRead found = new KeyRead(at(OLD, "q"), seen(1));
    Footprint rehomed =
        rehomed(new Footprint(List.of(), List.of(range(OLD, "p", "r", found)), List.of()));
    assertThat(rehomed.ranges()).hasSize(1);
    assertSame(
        rehomed.ranges().get(0), range(NEW, "p", "r", new KeyRead(at(NEW, "q"), found.seen())));
  }

  /** Random footprints through random splits, against a re-homing that places each key anew. */
  @Test
  void endsWhereEachKeyIs() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      TreeMap<byte[], Long> placed = new TreeMap<>(Keys.ORDER);
      placed.put(new byte[0], OLD);
      Footprint footprint = randomFootprint(random);
      Map<String, Seen> points = pointsOf(footprint);
      List<String> ranges = rangesOf(footprint);
      for (int split = 0; split < 6; split++) {
        placed.putIfAbsent(key(Integer.toString(random.nextInt(36), 36)), 1_000L + split);
      }
      Footprint rehomed = settle(footprint, placed, seed);
      assertThat(pointsOf(rehomed)).as("seed %s", seed).isEqualTo(points);
      assertThat(merged(rangesOf(rehomed))).as("seed %s", seed).isEqualTo(merged(ranges));
    }
  }

  /** Answers MOVED until everything is where it belongs. */
  private static Footprint settle(Footprint start, NavigableMap<byte[], Long> placed, long seed) {
    Footprint footprint = start;
    for (int step = 0; step < 100; step++) {
      Long wrong = firstWrong(footprint, placed);
      if (wrong == null) {
        return footprint;
      }
      SubtreeHeader header = headerOf(wrong, placed);
      Footprint next = Rehoming.of(footprint, wrong, header, (at, h, key) -> h.towards(key));
      assertThat(next).as("seed %s", seed).isNotSameAs(footprint);
      footprint = next;
    }
    throw new AssertionError("no end: seed " + seed);
  }

  private static @Nullable Long firstWrong(Footprint footprint, NavigableMap<byte[], Long> placed) {
    for (KeyRead read : footprint.reads()) {
      if (!headerOf(read.key().kcl(), placed).covers(EntryKeys.userKey(read.key()))) {
        return read.key().kcl();
      }
    }
    for (Write write : footprint.writes()) {
      if (!headerOf(write.key().kcl(), placed).covers(EntryKeys.userKey(write.key()))) {
        return write.key().kcl();
      }
    }
    for (RangeRead range : footprint.ranges()) {
      SubtreeHeader header = headerOf(range.kcl(), placed);
      byte[] to = range.to();
      byte[] high = header.high();
      boolean inside =
          header.covers(EntryKeys.userKey(range.from()))
              && (high == null || (to != null && EntryKeys.compare(to, high) <= 0));
      if (!inside) {
        return range.kcl();
      }
      for (KeyRead found : range.found()) {
        assertThat(header.covers(EntryKeys.userKey(found.key()))).isTrue();
        assertThat(found.key().kcl()).isEqualTo(range.kcl());
      }
    }
    return null;
  }

  private static SubtreeHeader headerOf(long kcl, NavigableMap<byte[], Long> placed) {
    for (Map.Entry<byte[], Long> entry : placed.entrySet()) {
      if (entry.getValue() == kcl) {
        Map.Entry<byte[], Long> right = placed.higherEntry(entry.getKey());
        Map.Entry<byte[], Long> left = placed.lowerEntry(entry.getKey());
        return new SubtreeHeader(
            1,
            8,
            entry.getKey(),
            right == null ? null : right.getKey(),
            left == null ? SubtreeHeader.NONE : left.getValue(),
            right == null ? SubtreeHeader.NONE : right.getValue(),
            0,
            null,
            SubtreeHeader.NONE,
            0);
      }
    }
    throw new AssertionError("no subtree " + kcl);
  }

  private static Footprint randomFootprint(Random random) {
    TreeMap<String, Integer> keys = new TreeMap<>();
    for (int i = 0; i < 10; i++) {
      keys.put(Integer.toString(random.nextInt(36 * 36), 36), i);
    }
    List<KeyRead> reads = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    keys.forEach((name, i) -> {
      if (i % 2 == 0) {
        reads.add(new KeyRead(at(OLD, name), seen(i)));
      } else {
        writes.add(new Write(at(OLD, name), new byte[] {(byte) (int) i}, null));
      }
    });
    String from = Integer.toString(random.nextInt(36), 36);
    String to = random.nextBoolean() ? null : from + "zz";
    List<KeyRead> found = new ArrayList<>();
    keys.forEach((name, i) -> {
      if (name.compareTo(from) >= 0 && (to == null || name.compareTo(to) < 0)) {
        found.add(new KeyRead(at(OLD, name), seen(50 + i)));
      }
    });
    return new Footprint(
        reads, List.of(range(OLD, from, to, found.toArray(new KeyRead[0]))), writes);
  }

  private static Map<String, Seen> pointsOf(Footprint footprint) {
    Map<String, Seen> points = new TreeMap<>();
    footprint.reads().forEach(r -> points.put("read " + text(r.key().ku()), r.seen()));
    footprint
        .writes()
        .forEach(
            w -> points.put("write " + text(w.key().ku()) + Arrays.toString(w.value()), seen(0)));
    for (RangeRead range : footprint.ranges()) {
      range.found().forEach(f -> points.put("found " + text(f.key().ku()), f.seen()));
    }
    return points;
  }

  private static List<String> rangesOf(Footprint footprint) {
    List<String> ranges = new ArrayList<>();
    for (RangeRead range : footprint.ranges()) {
      byte[] to = range.to();
      ranges.add(text(range.from()) + ".." + (to == null ? "" : text(to)));
    }
    ranges.sort(null);
    return ranges;
  }

  /** Joins ranges that touch. */
  private static String merged(List<String> ranges) {
    String from = ranges.get(0).substring(0, ranges.get(0).indexOf(".."));
    String at = from;
    for (String range : ranges) {
      assertThat(range).startsWith(at + "..");
      at = range.substring(range.indexOf("..") + 2);
    }
    return from + ".." + at;
  }

  private Footprint rehomed(Footprint footprint) {
    return Rehoming.of(footprint, OLD, header, (at, h, key) -> h.towards(key));
  }

  private static void assertSame(RangeRead actual, RangeRead expected) {
    assertThat(actual.kcl()).isEqualTo(expected.kcl());
    assertThat(actual.from()).isEqualTo(expected.from());
    assertThat(actual.to()).isEqualTo(expected.to());
    assertThat(actual.found()).isEqualTo(expected.found());
  }

  private static CompositeKey at(long kcl, String key) {
    return EntryKeys.of(kcl, key(key));
  }

  private static RangeRead range(long kcl, String from, @Nullable String to, KeyRead... found) {
    byte[] end = to == null ? null : EntryKeys.ku(key(to));
    return new RangeRead(kcl, EntryKeys.ku(key(from)), end, List.of(found));
  }

  private static Seen seen(long writer) {
    return new Seen(new TxId(new NodeId(1), writer), false);
  }

  private static String text(byte[] ku) {
    return new String(EntryKeys.userKey(ku), StandardCharsets.UTF_8);
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
