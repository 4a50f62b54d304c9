package io.canopygrid.it.study.load;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.ServedNode;
import io.canopygrid.it.study.grid.StudyMember;
import io.canopygrid.server.terminal.Narrator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long a look-up takes in indexes of 1, 10, 100, … keys on one cluster, by one client: of keys
 * that other nodes have, and of those that this one has. The sizes take turns.
 */
public final class SizeStudy {
  private static final int ENTRIES_PER_COMMIT = 1_000;
  private static final int KEYS_TRIED_MAX = 4_096;

  /** Indexes of fewer keys may be whole. */
  private static final int SMALL = 10_000;

  private static final int INDEXES_OF_A_SIZE = 24;
  private static final int QUIET_SECONDS = 5;
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(100);

  private final StudyMember member;
  private final EmbeddedCanopy canopy;
  private final ServedNode served;
  private final Narrator narrator;

  /** On the cluster of a member. */
  public SizeStudy(StudyMember member, Narrator narrator) {
    this.member = member;
    this.canopy = member.canopy();
    this.served = canopy.served();
    this.narrator = narrator;
  }

  /**
   * One size.
   *
   * @param keys in the index
   * @param remote whether other nodes have what was looked up
   */
  public record Point(long keys, boolean remote, Histogram nanos) {}

  /** Some keys of one index. */
  private record Sample(Index<Long, Long> index, long[] keys, Point point) {}

  /**
   * Measures.
   *
   * @param powers the largest index has 10 to the power of this many keys
   * @param seconds of each size, over all rounds
   */
  public List<Point> run(int powers, double seconds, int rounds) {
    List<Sample> samples = new ArrayList<>();
    long keys = 1;
    for (int power = 0; power <= powers; power++, keys *= 10) {
      narrator.say("Loading " + keys + " keys");
      load(keys);
    }
    awaitQuiet();
    for (long size = 1; size < keys; size *= 10) {
      samples.add(sample(size, true));
      samples.add(sample(size, false));
    }
    SplittableRandom random = new SplittableRandom(1);
    // The first round warms up and does not count.
    for (int round = 0; round <= rounds; round++) {
      for (Sample sample : samples) {
        if (round == 1) {
          sample.point().nanos().reset();
        }
        lookUp(sample, random, (long) (seconds / rounds * 1e9));
      }
      narrator.say(round == 0 ? "Warmed up" : "Round " + round + " of " + rounds);
    }
    return samples.stream().map(Sample::point).toList();
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

  private Sample sample(long count, boolean remote) {
    for (int copy = 0; copy < copies(count); copy++) {
      Index<Long, Long> index = open(count, copy);
      long[] keys = keys(served.find(index.name()), count, remote);
      if (keys.length > 0) {
        return new Sample(index, keys, new Point(count, remote, new Histogram(NANOS_MAX, 3)));
      }
    }
    throw new IllegalStateException(
        "no index of " + count + " keys is " + (remote ? "on another node" : "on this node"));
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

  private void lookUp(Sample sample, SplittableRandom random, long forNanos) {
    long end = System.nanoTime() + forNanos;
    Index<Long, Long> index = sample.index();
    while (System.nanoTime() - end < 0) {
      long key = sample.keys()[random.nextInt(sample.keys().length)];
      long start = System.nanoTime();
      boolean found = canopy.read(tx -> Objects.equals(tx.on(index).get(key), key));
      long took = System.nanoTime() - start;
      if (!found) {
        throw new IllegalStateException("no entry, or a wrong one: " + key);
      }
      sample.point().nanos().recordValue(Math.min(took, NANOS_MAX));
    }
  }
}
