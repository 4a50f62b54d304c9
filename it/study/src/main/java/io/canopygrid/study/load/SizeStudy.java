package io.canopygrid.study.load;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.study.grid.StudyMember;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * The time of a look-up in indexes of 1, 10, 100, … keys on one cluster, by one client: of keys
 * that other nodes have, and of keys that this one has. The sizes take turns, and so do controls
 * which tell what the processor's caches have to do with it ({@link Control}).
 */
public final class SizeStudy {
  private static final int ENTRIES_PER_COMMIT = 1_000;
  private static final int KEYS_TRIED_MAX = 4_096;

  /**
   * The number of keys of {@link Control#FEW_KEYS}: what a look-up touches of so many stays in the
   * caches.
   */
  private static final int FEW = 64;

  /** Indexes of fewer keys may be whole. */
  private static final int SMALL = 10_000;

  private static final int INDEXES_OF_A_SIZE = 24;
  private static final int QUIET_SECONDS = 5;
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(100);

  private final StudyMember member;
  private final EmbeddedCanopy canopy;
  private final ServedNode served;
  private final Narrator narrator;

  /** Creates the study on the cluster of a member. */
  public SizeStudy(StudyMember member, Narrator narrator) {
    this.member = member;
    this.canopy = member.canopy();
    this.served = canopy.served();
    this.narrator = narrator;
  }

  /** The control that look-ups in an index are compared with. */
  public enum Control {
    /**
     * {@value SizeStudy#FEW} keys from all over the same index: as deep and the same instructions.
     */
    FEW_KEYS,
    /** The same keys in a map of the JDK with as many entries, which gets deeper. */
    SKIP_LIST,
    /** The same, which does not: what it takes more is the caches'. */
    HASH_MAP
  }

  /**
   * One size.
   *
   * @param keys in the index
   * @param remote whether other nodes have what was looked up
   * @param controls the maps only where this node has it
   */
  public record Point(
      long keys, boolean remote, Histogram nanos, Map<Control, Histogram> controls) {}

  /** Some keys of one index; look-ups of them count there. */
  private record Sample(LongPredicate holds, long[] keys, Histogram nanos) {}

  /**
   * Measures.
   *
   * @param powers the largest index has 10 to the power of this many keys
   * @param seconds of each size, over all rounds
   */
  public List<Point> run(int powers, double seconds, int rounds) {
    long keys = 1;
    for (int power = 0; power <= powers; power++, keys *= 10) {
      narrator.say("Loading " + keys + " keys");
      load(keys);
    }
    awaitQuiet();
    List<Point> points = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    for (long size = 1; size < keys; size *= 10) {
      points.add(point(size, true, samples));
      points.add(point(size, false, samples));
    }
    SplittableRandom random = new SplittableRandom(1);
    // The first round warms up and does not count.
    for (int round = 0; round <= rounds; round++) {
      for (Sample sample : samples) {
        if (round == 1) {
          sample.nanos().reset();
        }
        lookUp(sample, random, (long) (seconds / rounds * 1e9));
      }
      narrator.say(round == 0 ? "Warmed up" : "Round " + round + " of " + rounds);
    }
    return points;
  }

  /**
   * Small indexes may be wholly on one node: so there are several, until one is where it should be.
   */
  private static int copies(long count) {
    return count < SMALL ? INDEXES_OF_A_SIZE : 1;
  }

  private Index<Long, Long> open(long count, int copy) {
    return canopy.index(
        "size-" + count + "-" + copy, Codec.int64(), Codec.int64(), IndexOptions.DEFAULTS);
  }

  private void load(long count) {
    for (int copy = 0; copy < copies(count); copy++) {
      load(open(count, copy), count);
    }
  }

  /** A size, and what is to be looked up for it. */
  private Point point(long count, boolean remote, List<Sample> samples) {
    for (int copy = 0; copy < copies(count); copy++) {
      Index<Long, Long> index = open(count, copy);
      long[] keys = keys(served.find(index.name()), count, remote);
      if (keys.length > 0) {
        Map<Control, Histogram> controls = new EnumMap<>(Control.class);
        LongPredicate holds = key -> canopy.read(tx -> Objects.equals(tx.on(index).get(key), key));
        Sample all = new Sample(holds, keys, histogram());
        samples.add(all);
        samples.add(control(Control.FEW_KEYS, holds, few(keys), controls));
        if (!remote) {
          for (Control map : List.of(Control.SKIP_LIST, Control.HASH_MAP)) {
            Map<Long, Long> entries = filled(map, count);
            samples.add(control(map, key -> Objects.equals(entries.get(key), key), keys, controls));
          }
        }
        return new Point(count, remote, all.nanos(), controls);
      }
    }
    throw new IllegalStateException(
        "no index of " + count + " keys is " + (remote ? "on another node" : "on this node"));
  }

  private static Sample control(
      Control control, LongPredicate holds, long[] keys, Map<Control, Histogram> controls) {
    Histogram nanos = histogram();
    controls.put(control, nanos);
    return new Sample(holds, keys, nanos);
  }

  private static Histogram histogram() {
    return new Histogram(NANOS_MAX, 3);
  }

  /** Some of the distinct keys, in order, from all over. */
  static long[] few(long[] keys) {
    long[] distinct = LongStream.of(keys).sorted().distinct().toArray();
    int count = Math.min(FEW, distinct.length);
    return IntStream.range(0, count)
        .mapToLong(i -> distinct[(int) ((long) i * distinct.length / count)])
        .toArray();
  }

  private static Map<Long, Long> filled(Control map, long count) {
    Map<Long, Long> entries =
        map == Control.SKIP_LIST ? new ConcurrentSkipListMap<>() : new HashMap<>();
    LongStream.range(0, count).forEach(key -> entries.put(key, key));
    return entries;
  }

  /** Subtrees go on being split and spread for a while; what is where is known afterwards. */
  private void awaitQuiet() {
    narrator.say("Waiting for the last split");
    int subtrees = -1;
    for (int still = 0; still < QUIET_SECONDS; still++) {
      int before = subtrees;
      int[] count = new int[1];
      Crown.forEach(member.node().top(), entry -> count[0]++);
      subtrees = count[0];
      if (subtrees != before) {
        still = 0;
      }
      member.node().threads().sleep(TimeUnit.SECONDS.toNanos(1));
    }
  }

  private void load(Index<Long, Long> index, long count) {
    for (long from = 0; from < count; from += ENTRIES_PER_COMMIT) {
      long first = from;
      long end = Math.min(from + ENTRIES_PER_COMMIT, count);
      canopy.run(tx -> {
        for (long key = first; key < end; key++) {
          tx.on(index).put(key, key);
        }
      });
    }
  }

  private long[] keys(IndexRef index, long count, boolean remote) {
    SplittableRandom random = new SplittableRandom(count);
    long tried = Math.min(count, KEYS_TRIED_MAX);
    return random
        .longs(0, count)
        .limit(tried)
        .filter(key -> served.has(index, Codec.int64().encode(key)) != remote)
        .toArray();
  }

  private static void lookUp(Sample sample, SplittableRandom random, long forNanos) {
    long end = System.nanoTime() + forNanos;
    while (System.nanoTime() - end < 0) {
      long key = sample.keys()[random.nextInt(sample.keys().length)];
      long start = System.nanoTime();
      boolean found = sample.holds().test(key);
      long took = System.nanoTime() - start;
      if (!found) {
        throw new IllegalStateException("no entry, or a wrong one: " + key);
      }
      sample.nanos().recordValue(Math.min(took, NANOS_MAX));
    }
  }
}
