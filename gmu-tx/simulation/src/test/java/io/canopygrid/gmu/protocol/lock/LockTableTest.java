package io.canopygrid.gmu.protocol.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.protocol.lock.LockTable.Obstacle;
import io.canopygrid.gmu.simulation.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Locks: who excludes whom, against comparing everyone with everyone. */
final class LockTableTest {
  private static final long KCL = 20;
  private final LockTable table = new LockTable((holder, request, key) -> false);
  private long counter;

  private static CompositeKey key(int ku) {
    return CompositeKey.of(KCL, new byte[] {(byte) ku});
  }

  private LockRequest request(Footprint footprint, Integer... participants) {
    TxId tid = new TxId(new NodeId(1), ++counter);
    List<Integer> parts = participants.length == 0 ? List.of(0) : List.of(participants);
    TxRecord rec = new TxRecord(tid, 0, parts, VectorClock.ZERO, footprint, false, "t" + counter);
    return new LockRequest(rec);
  }

  private static Footprint reads(CompositeKey... keys) {
    List<KeyRead> reads = new ArrayList<>();
    for (CompositeKey key : keys) {
      reads.add(new KeyRead(key, Seen.ABSENT));
    }
    return new Footprint(reads, List.of(), List.of());
  }

  private static Footprint writes(CompositeKey... keys) {
    List<Write> writes = new ArrayList<>();
    for (CompositeKey key : keys) {
      writes.add(new Write(key, new byte[0], null));
    }
    return new Footprint(List.of(), List.of(), writes);
  }

  private static Footprint range(int from, @Nullable Integer to) {
    byte[] end = to == null ? null : new byte[] {to.byteValue()};
    RangeRead range = new RangeRead(KCL, new byte[] {(byte) from}, end, List.of());
    return new Footprint(List.of(), List.of(range), List.of());
  }

  private LockRequest granted(Footprint footprint, Integer... participants) {
    LockRequest request = request(footprint, participants);
    assertThat(table.obstacle(request)).isNull();
    table.grant(request);
    return request;
  }

  private void isBlockedBy(LockRequest holder, boolean certain, Footprint footprint) {
    Obstacle obstacle = table.obstacle(request(footprint));
    assertThat(obstacle).isNotNull();
    assertThat(obstacle.holder()).isSameAs(holder);
    assertThat(obstacle.certain()).isEqualTo(certain);
  }

  private void isFree(Footprint footprint) {
    assertThat(table.obstacle(request(footprint))).isNull();
  }

  @Test
  void readersShareAndWritersExclude() {
    LockRequest reader = granted(reads(key(1)));
    isFree(reads(key(1)));
    isBlockedBy(reader, false, writes(key(1)));
    table.release(reader.rec().tid());
    LockRequest writer = granted(writes(key(1)));
    isBlockedBy(writer, false, reads(key(1)));
    isBlockedBy(writer, false, writes(key(1)));
    isFree(writes(key(2)));
  }

  @Test
  void rangesExcludeWritersOfKeysInThem() {
    LockRequest scanner = granted(range(2, 5));
    isFree(range(0, null));
    isFree(writes(key(1)));
    isFree(writes(key(5)));
    isBlockedBy(scanner, false, writes(key(2)));
    isBlockedBy(scanner, false, writes(key(4)));
    table.release(scanner.rec().tid());
    LockRequest writer = granted(writes(key(3)));
    isBlockedBy(writer, false, range(3, 4));
    isBlockedBy(writer, false, range(0, null));
    isFree(range(4, null));
    isFree(range(0, 3));
    isFree(range(3, 3));
  }

  @Test
  void whoChangesAHeaderIsAloneInItsKcl() {
    CompositeKey header = CompositeKey.header(KCL);
    LockRequest reader = granted(reads(key(1)));
    isBlockedBy(reader, false, writes(header));
    table.release(reader.rec().tid());
    LockRequest split = granted(writes(header, key(7)));
    isBlockedBy(split, false, reads(key(1)));
    isBlockedBy(split, false, writes(key(2)));
    isBlockedBy(split, false, range(1, 2));
    isFree(writes(CompositeKey.of(KCL + 1, new byte[] {1})));
  }

  @Test
  void aWriterInSeveralShardsOfWhatWasReadIsACertainObstacle() {
    LockRequest writer = granted(writes(key(1)), 0, 1);
    isBlockedBy(writer, true, reads(key(1)));
    isBlockedBy(writer, true, range(0, 3));
    isBlockedBy(writer, false, writes(key(1)));
  }

  @Test
  void whoMovesAnEntryIsNoCertainObstacleAsTheWriterStays() {
    TxId origin = new TxId(new NodeId(9), 9);
    Write moved = new Write(key(1), new byte[0], origin);
    LockRequest mover = granted(new Footprint(List.of(), List.of(), List.of(moved)), 0, 1);
    isBlockedBy(mover, false, reads(key(1)));
  }

  private static @Nullable LockRequest inTheWay(LockTable table, LockRequest request) {
    Obstacle obstacle = table.obstacle(request);
    return obstacle == null ? null : obstacle.holder();
  }

  @Test
  void aWriteFollowsWhoMayBeFollowedAndEachReleasesItsOwn() {
    List<LockRequest> mayBeFollowed = new ArrayList<>();
    LockTable following = new LockTable((holder, request, key) -> mayBeFollowed.contains(holder));
    LockRequest first = request(writes(key(1)));
    LockRequest second = request(writes(key(1), key(2)));
    LockRequest third = request(writes(key(1)));
    following.grant(first);
    assertThat(inTheWay(following, second)).isSameAs(first);
    mayBeFollowed.add(first);
    assertThat(following.obstacle(second)).isNull();
    assertThat(following.followedBy(second)).containsExactly(first);
    following.grant(second);
    assertThat(inTheWay(following, third)).isSameAs(second);
    assertThat(inTheWay(following, request(reads(key(1))))).isSameAs(first);
    assertThat(inTheWay(following, request(range(0, 5)))).isSameAs(first);
    following.release(first.rec().tid());
    assertThat(following.isWritten(key(1))).isTrue();
    assertThat(inTheWay(following, request(range(0, 2)))).isSameAs(second);
    mayBeFollowed.add(second);
    following.grant(third);
    following.release(third.rec().tid());
    following.release(second.rec().tid());
    assertThat(following.isWritten(key(1)) || following.isWritten(key(2))).isFalse();
    assertThat(following.obstacle(request(range(0, null)))).isNull();
    assertThat(following.size()).isZero();
  }

  @Test
  void notTooManyFollowEachOther() {
    LockTable following = new LockTable((holder, request, key) -> true);
    List<LockRequest> writers = new ArrayList<>();
    for (int i = 0; i < LockTable.WRITERS_MAX; i++) {
      writers.add(request(writes(key(1))));
      following.grant(writers.get(i));
    }
    LockRequest next = request(writes(key(1)));
    assertThat(inTheWay(following, next)).isSameAs(writers.get(0));
    following.release(writers.get(0).rec().tid());
    assertThat(following.obstacle(next)).isNull();
  }

  @Test
  void agreesWithComparingEveryoneWithEveryone() {
    for (long seed = 0; seed < 300; seed++) {
      SeededRandom random = new SeededRandom(seed);
      List<LockRequest> followed = new ArrayList<>();
      LockTable locks =
          new LockTable((holder, request, key) -> followed.contains(holder) && !key.isHeader());
      List<LockRequest> holders = new ArrayList<>();
      for (int step = 0; step < 80; step++) {
        if (!holders.isEmpty() && random.chance(0.3)) {
          LockRequest gone = holders.remove(random.below(holders.size()));
          assertThat(locks.release(gone.rec().tid())).isTrue();
          continue;
        }
        LockRequest request = request(randomFootprint(random));
        boolean free = holders.stream().noneMatch(h -> conflict(h, request, followed.contains(h)));
        Obstacle obstacle = locks.obstacle(request);
        assertThat(obstacle == null).as("seed %s step %s", seed, step).isEqualTo(free);
        if (obstacle == null) {
          locks.grant(request);
          holders.add(request);
          if (seed % 2 == 0 && random.chance(0.6)) {
            followed.add(request);
          }
        } else {
          LockRequest holder = obstacle.holder();
          assertThat(conflict(holder, request, followed.contains(holder)))
              .as("seed %s", seed)
              .isTrue();
        }
      }
      holders.forEach(h -> locks.release(h.rec().tid()));
      assertThat(locks.size()).isZero();
      assertThat(locks.obstacle(request(writes(CompositeKey.header(KCL), key(1))))).isNull();
    }
  }

  private static Footprint randomFootprint(SeededRandom random) {
    List<KeyRead> reads = new ArrayList<>();
    List<RangeRead> ranges = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    for (int i = random.below(3); i > 0; i--) {
      CompositeKey key = key(random.between(i * 3, i * 3 + 2));
      reads.add(new KeyRead(key, Seen.ABSENT));
    }
    if (random.chance(0.3)) {
      int from = random.between(1, 8);
      byte[] to = random.chance(0.3) ? null : new byte[] {(byte) (from + random.below(4))};
      ranges.add(new RangeRead(KCL, new byte[] {(byte) from}, to, List.of()));
    }
    for (int i = random.below(3); i > 0; i--) {
      writes.add(new Write(key(random.between(i * 3, i * 3 + 2)), new byte[0], null));
    }
    if (random.chance(0.05)) {
      writes.add(new Write(CompositeKey.header(KCL), new byte[0], null));
    }
    return new Footprint(reads, ranges, writes);
  }

  private static boolean conflict(LockRequest holder, LockRequest request, boolean followed) {
    return blocks(holder, request, followed, false) || blocks(request, holder, followed, true);
  }

  /**
   * Whether one uses what the other writes.
   *
   * @param followed whether two that only write a key need not wait for each other
   * @param writtenOnly whether a key that the user has read and writes counts as written only
   */
  private static boolean blocks(
      LockRequest writer, LockRequest user, boolean followed, boolean writtenOnly) {
    for (CompositeKey key : writer.exclusive().keySet()) {
      boolean reads = user.reads().contains(key) || user.headers().contains(key);
      boolean inRange = user.ranges().stream().anyMatch(r -> r.contains(key));
      boolean writes = user.writes(key);
      if (inRange
          || (reads && !(writes && writtenOnly))
          || (writes && !(followed && !key.isHeader()))) {
        return true;
      }
    }
    return false;
  }
}
