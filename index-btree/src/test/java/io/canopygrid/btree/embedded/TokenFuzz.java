package io.canopygrid.btree.embedded;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Isolation;
import io.canopygrid.Range;
import io.canopygrid.ReadFrom;
import io.canopygrid.ResumeToken;
import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;

/**
 * Begins transactions with forged, changed, foreign and old tokens at nodes of every role: the
 * primary of what a clock names, a backup, a learner, and a node without a copy. Each must end in
 * success or in a coded error. After each batch every node updates all shards in one transaction,
 * at its first attempt.
 */
@NullUnmarked // values are compared as they are
final class TokenFuzz implements AutoCloseable {
  private static final int SHARDS = 8;
  private static final int KEYS = 120;
  private static final int BATCH = 1_000;

  /** In a short run, too, it is renewed. */
  private static final int SNAPSHOT_BATCHES = 10;

  private static final int COUNTER_BITS = 40;

  /** A number that so many above a given one is not given soon: a batch writes less. */
  private static final long FAR = 50_000;

  private static final TransactionOptions PATIENT =
      TransactionOptions.DEFAULTS.withTimeout(Duration.ofMinutes(5));

  /** For clocks of the next epochs, whose topology a node waits for. */
  private static final Duration SHORT = Duration.ofMillis(5);

  private final long seed;
  private final SplittableRandom random;
  private final TestGrid grid = TestGrid.network(4, 2, SHARDS, 16);
  private final List<Index<Integer, Long>> indexes = new ArrayList<>();
  private final List<CausalToken> honest = new ArrayList<>();
  private final List<ResumeToken> positions = new ArrayList<>();
  private final Map<String, Long> ends = new TreeMap<>();
  private long probes;

  TokenFuzz(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    for (int i = 0; i < grid.size(); i++) {
      grid.handle(i).grid();
      indexes.add(
          grid.handle(i)
              .index(
                  "fuzz",
                  Codec.int32(),
                  Codec.int64(),
                  IndexOptions.DEFAULTS.withSubtreeEntriesMax(8)));
    }
    for (int key = 0; key < KEYS; key++) {
      int next = key;
      grid.handle(0).run(tx -> tx.on(indexes.get(0)).put(next, 0L));
    }
    grid.awaitQuiet();
    var unused = grid.handle(0).snapshot("night");
    honest.add(grid.handle(0).token());
    grid.addLearners();
    addPositions();
    probe();
  }

  private void addPositions() {
    for (int i = 0; i < grid.size(); i++) {
      Index<Integer, Long> index = indexes.get(i);
      positions.add(grid.handle(i).read(PATIENT, tx -> position(tx.on(index).scan(Range.all()))));
      positions.add(
          grid.handle(i).read(PATIENT.at("night"), tx -> position(tx.on(index).scan(Range.all()))));
    }
  }

  /**
   * Takes the named snapshot anew: it keeps all versions that there are since it was taken, which
   * in a long run would be more than fits. A position of the one before stays.
   */
  private void renewSnapshot() {
    grid.handle(0).dropSnapshot("night");
    var unused = grid.handle(0).snapshot("night");
    ResumeToken ofBefore = positions.get(positions.size() - 1);
    positions.clear();
    positions.add(ofBefore);
    addPositions();
  }

  private static ResumeToken position(Cursor<Integer, Long> cursor) {
    try (cursor) {
      cursor.iterator().next();
      return cursor.resumeToken();
    }
  }

  /** The number of inputs that ended in each way. */
  Map<String, Long> ends() {
    return ends;
  }

  void run(long inputs) {
    for (long i = 0; i < inputs; i++) {
      long number = i;
      try {
        ends.merge(input(), 1L, Long::sum);
        if (i % BATCH == BATCH - 1) {
          probe();
        }
        if (i % (SNAPSHOT_BATCHES * BATCH) == SNAPSHOT_BATCHES * BATCH - 1) {
          renewSnapshot();
        }
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed=%d input %d".formatted(seed, number), e);
      }
      if (i % 100_000 == 99_999) {
        System.out.println((i + 1) + " inputs: " + ends);
      }
    }
    probe();
  }

  /** Every node reads and writes in all shards, and sees what the others wrote. */
  private void probe() {
    for (int i = 0; i < grid.size(); i++) {
      Index<Integer, Long> index = indexes.get(i);
      probes++;
      long next = probes;
      CausalToken others = honest.get(honest.size() - 1);
      grid.handle(i)
          .run(
              PATIENT.withAfter(others).withMaxAttempts(3),
              tx -> {
                for (int key = 0; key < KEYS; key++) {
                  Long before = tx.on(index).get(key);
                  holds(before != null && before == next - 1, "key " + key + " has " + before);
                  tx.on(index).put(key, next);
                }
              });
      honest.add(grid.handle(i).token());
    }
    while (honest.size() > 40) {
      honest.remove(1);
    }
  }

  // ---- inputs

  /** Plays one; returns how it ended. */
  private String input() {
    boolean[] mustFail = {false};
    boolean[] near = {false};
    String kind = "";
    try {
      int what = random.nextInt(12);
      if (what == 0) {
        kind = "bytes";
        return kind + " " + use(changed(any(honest).toBytes()));
      }
      if (what == 1) {
        kind = "position bytes";
        ResumeToken token = ResumeToken.fromBytes(changedBytes(any(positions).toBytes()));
        return kind + " " + resume(PATIENT, token);
      }
      if (what == 2) {
        kind = "other grid";
        CausalToken token = CausalToken.of(GridId.random(), any(honest).clock());
        use(token);
        throw new AssertionError("a token of another grid was taken");
      }
      kind = what < 9 ? "clock" : "position";
      CausalToken token = CausalToken.of(grid.handle(0).grid().id(), forged(mustFail, near));
      TransactionOptions options = near[0] ? PATIENT.withTimeout(SHORT) : PATIENT;
      String end = what < 9 ? use(options, token) : resume(options, position(token));
      holds(!mustFail[0] || end.endsWith("snapshot"), kind + " was taken: " + token.clock());
      return kind + " " + end;
    } catch (CanopyException e) {
      boolean isRefusal =
          e.code() == ErrorCode.INVALID_TOKEN || e.code() == ErrorCode.UNKNOWN_SNAPSHOT;
      holds(isRefusal || near[0] || e.code() == ErrorCode.UNKNOWN_INDEX, "not so: " + e);
      return kind + " " + e.code();
    }
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private ResumeToken position(CausalToken seen) {
    String snapshot = random.nextInt(4) == 0 ? "night" : "";
    String name = random.nextInt(20) == 0 ? "none" : "fuzz";
    return ResumeToken.of(name, KeyRange.ALL, random.nextBoolean(), 5, seen, snapshot);
  }

  private CausalToken changed(byte[] bytes) {
    return CausalToken.fromBytes(changedBytes(bytes));
  }

  private byte[] changedBytes(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    if (random.nextBoolean()) {
      return Arrays.copyOf(bytes, at);
    }
    byte[] result = bytes.clone();
    result[at] ^= (byte) (1 << random.nextInt(8));
    return result;
  }

  private VectorClock forged(boolean[] mustFail, boolean[] near) {
    VectorClock clock = any(honest).clock();
    for (int more = random.nextInt(4); more > 0; more--) {
      int shard = random.nextInt(SHARDS + 1);
      long newest = honest.get(honest.size() - 1).clock().get(shard);
      long epoch = grid.node(0).topology().id();
      long start = epoch << COUNTER_BITS;
      switch (random.nextInt(9)) {
        case 0 -> clock = above(clock, shard, Math.max(1, newest - random.nextInt(3)));
        case 1 -> clock = above(clock, shard, Math.max(newest, start) + 1 + random.nextInt(7));
        case 2 -> {
          clock = above(clock, shard, Math.max(newest, start) + FAR + random.nextInt(1 << 20));
          mustFail[0] = true;
        }
        case 3 -> {
          clock = above(clock, shard, start + (1L << COUNTER_BITS) - 1 - random.nextInt(2));
          mustFail[0] = true;
        }
        case 4 -> clock = above(clock, shard, 1 + random.nextLong(start));
        case 5 -> {
          clock = above(clock, shard, ((epoch + 1_500 + random.nextInt(9)) << COUNTER_BITS) + 1);
          mustFail[0] = true;
        }
        case 6 -> {
          clock = above(clock, shard, Long.MAX_VALUE - random.nextInt(2));
          mustFail[0] = true;
        }
        case 7 -> {
          clock = above(clock, SHARDS + 1 + random.nextInt(60_000), 1 + random.nextLong(start));
          mustFail[0] = true;
        }
        default -> {
          if (random.nextInt(50) == 0) {
            clock = above(clock, shard, ((epoch + 1 + random.nextInt(9)) << COUNTER_BITS) + 1);
            mustFail[0] = true;
            near[0] = true;
          }
        }
      }
    }
    return clock;
  }

  private static VectorClock above(VectorClock clock, int shard, long number) {
    return clock.join(VectorClock.ZERO.with(shard, number));
  }

  // ---- uses

  private String use(CausalToken token) {
    return use(PATIENT, token);
  }

  private String use(TransactionOptions how, CausalToken token) {
    int i = random.nextInt(grid.size());
    Canopy db = grid.handle(i);
    Index<Integer, Long> index = indexes.get(i);
    TransactionOptions options = how.withAfter(token);
    int key = random.nextInt(KEYS);
    switch (random.nextInt(6)) {
      case 0 -> {
        if (random.nextInt(4) == 0) {
          db.run(options, tx -> tx.on(index).put(key, probes));
        } else {
          db.run(options, tx -> tx.on(index).put(KEYS + random.nextInt(9), 1L));
        }
      }
      case 1 -> db.read(options, tx -> tx.on(index).get(key));
      case 2 -> db.read(options.withIsolation(Isolation.SERIALIZABLE), tx -> tx.on(index).get(key));
      case 3 -> db.begin(options).close();
      case 4 -> db.read(options.withReadFrom(ReadFrom.NEAREST), tx -> tx.on(index).get(key));
      default -> {
        // The state is that of the snapshot, whatever the token says.
        db.read(options.at("night"), tx -> tx.on(index).get(key));
        return "taken in a snapshot";
      }
    }
    return "taken";
  }

  private String resume(TransactionOptions how, ResumeToken token) {
    int i = random.nextInt(grid.size());
    Index<Integer, Long> index = indexes.get(i);
    grid.handle(i)
        .read(
            how.resuming(token),
            tx -> {
              try (Cursor<Integer, Long> cursor = tx.on(index).resume(token)) {
                return cursor.stream().limit(3).count();
              }
            });
    return "taken";
  }

  private static void holds(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  @Override
  public void close() {
    grid.close();
  }
}
