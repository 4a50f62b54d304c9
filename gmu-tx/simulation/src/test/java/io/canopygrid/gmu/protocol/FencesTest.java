package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Headers: what reads and prepares of keys that moved are told, and who waits for whom. */
final class FencesTest {
  /** A header is the text {@code lo-hi}, or {@code lo-hi!mid} while what is from mid on moves. */
  private static final class Letters implements Fences {
    private static String part(byte[] header, int index) {
      return new String(header, java.nio.charset.StandardCharsets.UTF_8).split("[-!]", -1)[index];
    }

    private static String key(byte[] ku) {
      return new String(ku, java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public boolean covers(byte[] header, byte[] ku) {
      return key(ku).compareTo(part(header, 0)) >= 0 && key(ku).compareTo(part(header, 1)) < 0;
    }

    @Override
    public boolean coversRange(byte[] header, byte[] from, byte @Nullable [] to) {
      return covers(header, from) && to != null && key(to).compareTo(part(header, 1)) <= 0;
    }

    @Override
    public boolean accepts(byte[] header, byte[] ku) {
      boolean closing = new String(header, java.nio.charset.StandardCharsets.UTF_8).contains("!");
      return covers(header, ku) && (!closing || key(ku).compareTo(part(header, 2)) < 0);
    }

    @Override
    public byte[] end(byte[] header) {
      return Grid.bytes(part(header, 1));
    }

    @Override
    public boolean needsHeader(long kcl) {
      return kcl % 2 == 0;
    }
  }

  private final Grid grid = new Grid(3, 1, new Letters());
  private final long kcl = oddKcl(0);
  private final long sibling = oddKcl(1);

  /** A kcl that covers everything before it has a header. */
  private long oddKcl(int shard) {
    long found = 17;
    while (grid.map.shardOf(found) != shard) {
      found += 2;
    }
    return found;
  }

  private static CompositeKey key(long kcl, String ku) {
    return CompositeKey.of(kcl, Grid.bytes(ku));
  }

  private void put(CompositeKey key, @Nullable String value) {
    assertThat(grid.put(2, key, value)).isInstanceOf(Outcome.Committed.class);
  }

  private ReadAnswer scan(
      Grid.Tx tx, String from, @Nullable String to, boolean reverse, int limit) {
    byte[] end = to == null ? null : Grid.bytes(to);
    return tx.read(new ReadQuery.Scan(kcl, Grid.bytes(from), end, reverse, limit, true));
  }

  private static String keys(ReadAnswer answer) {
    StringBuilder keys = new StringBuilder();
    ((ReadAnswer.Scanned) answer).entries().forEach(e -> keys.append(Grid.text(e.ku())));
    return keys.toString();
  }

  @Test
  void aReadOutsideTheFencesIsRedirectedWithTheHeaderOfItsSnapshot() {
    put(CompositeKey.header(kcl), "a-m");
    Grid.Tx tx = grid.begin(2);
    ReadAnswer.Redirected away = (ReadAnswer.Redirected) tx.read(new ReadQuery.Get(key(kcl, "x")));
    assertThat(Grid.text(away.header())).isEqualTo("a-m");
    assertThat(away.unborn()).isFalse();
    assertThat(tx.read(new ReadQuery.Get(key(kcl, "b")))).isInstanceOf(ReadAnswer.Got.class);
    assertThat(tx.read(new ReadQuery.Get(CompositeKey.header(kcl))))
        .isInstanceOf(ReadAnswer.Got.class);
    assertThat(scan(tx, "n", null, false, 9)).isInstanceOf(ReadAnswer.Redirected.class);
  }

  @Test
  void aKclThatTheSnapshotDoesNotHaveIsUnborn() {
    put(key(kcl, "b"), "1");
    Grid.Tx tx = grid.begin(2);
    assertThat(tx.get(key(kcl, "b"))).isEqualTo("1");
    Grid.Tx birth = grid.begin(2);
    birth.write(key(kcl, "b"), "2");
    birth.write(CompositeKey.header(sibling), "m-z");
    assertThat(birth.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    ReadAnswer.Redirected back =
        (ReadAnswer.Redirected) tx.read(new ReadQuery.Get(key(sibling, "n")));
    assertThat(back.unborn()).isTrue();
    assertThat(Grid.text(back.header())).isEqualTo("m-z");
    assertThat(grid.begin(2).get(key(sibling, "n"))).isNull();
  }

  @Test
  void aKclThatNeedsAHeaderCoversNothingBefore() {
    long even = 18;
    ReadAnswer answer = grid.begin(2).read(new ReadQuery.Get(key(even, "n")));
    assertThat(answer).isInstanceOf(ReadAnswer.Redirected.class);
    assertThat(((ReadAnswer.Redirected) answer).unborn()).isTrue();
    assertThat(((ReadAnswer.Redirected) answer).header()).isEmpty();
    Grid.Tx writer = grid.begin(2);
    writer.write(key(even, "n"), "1");
    writer.commitAndSettle();
    assertThat(writer.reason()).isEqualTo(AbortReason.MOVED);
    Grid.Tx founder = grid.begin(2);
    founder.write(CompositeKey.header(even), "a-z");
    founder.write(key(even, "n"), "1");
    assertThat(founder.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.begin(2).get(key(even, "n"))).isEqualTo("1");
  }

  @Test
  void aPrepareOfKeysThatMovedIsToldWhereAndMayComeAgain() {
    put(CompositeKey.header(kcl), "a-z");
    put(key(kcl, "n"), "1");
    Grid.Tx tx = grid.begin(2);
    assertThat(tx.get(key(kcl, "n"))).isEqualTo("1");
    tx.write(key(kcl, "n"), "2");
    TxId writer = tx.reads.get(0).seen().writer();
    Grid.Tx split = grid.begin(1);
    split.write(CompositeKey.header(kcl), "a-m");
    split.write(key(kcl, "n"), null, writer);
    split.write(CompositeKey.header(sibling), "m-z");
    split.write(key(sibling, "n"), "1", writer);
    assertThat(split.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    tx.commitAndSettle();
    Outcome.Aborted moved = (Outcome.Aborted) tx.outcome();
    assertThat(moved.reason()).isEqualTo(AbortReason.MOVED);
    assertThat(moved.key()).isEqualTo(key(kcl, "n"));
    assertThat(Grid.text(moved.header())).isEqualTo("a-m");
    // At its new place, with the writer that was seen at the old one.
    tx.reads.set(
        0, new io.canopygrid.gmu.Footprint.KeyRead(key(sibling, "n"), tx.reads.get(0).seen()));
    tx.writes.clear();
    tx.write(key(sibling, "n"), "2");
    assertThat(tx.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.begin(0).get(key(sibling, "n"))).isEqualTo("2");
  }

  /** Moved away and back: what is marked is not there, whatever was there before. */
  @Test
  void aKeyThatWasMovedAwayIsAsIfItHadNeverBeenThere() {
    put(CompositeKey.header(kcl), "a-z");
    put(key(kcl, "n"), "1");
    Grid.Tx sawIt = grid.begin(2);
    assertThat(sawIt.get(key(kcl, "n"))).isEqualTo("1");
    sawIt.write(key(kcl, "b"), "1");
    Grid.Tx mark = grid.begin(1);
    mark.write(key(kcl, "n"), null, TxId.NOBODY);
    assertThat(mark.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    sawIt.commitAndSettle();
    assertThat(sawIt.reason()).isEqualTo(AbortReason.STALE_READ);

    Grid.Tx sawNothing = grid.begin(2);
    ReadAnswer.Got got = (ReadAnswer.Got) sawNothing.read(new ReadQuery.Get(key(kcl, "n")));
    assertThat(got).isEqualTo(new ReadAnswer.Got(null, Seen.ABSENT));
    assertThat(keys(scan(sawNothing, "a", "z", false, 9))).isEmpty();
    // The key was removed where it had been meanwhile, and this transaction has seen that there.
    Grid.Tx sawItRemoved = grid.begin(2);
    Seen removed = new Seen(new TxId(new NodeId(9), 9), true);
    sawItRemoved.reads.add(new io.canopygrid.gmu.Footprint.KeyRead(key(kcl, "n"), removed));
    sawItRemoved.scan(kcl, "m", "p");
    sawItRemoved.write(key(kcl, "b"), "2");
    assertThat(sawItRemoved.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void aHeaderThatWasRemovedSaysWhatItSaidLast() {
    put(CompositeKey.header(kcl), "a-m");
    Grid.Tx before = grid.begin(2);
    assertThat(before.get(key(kcl, "b"))).isNull();
    put(CompositeKey.header(kcl), "x-x");
    put(CompositeKey.header(kcl), null);
    ReadAnswer answer = grid.begin(2).read(new ReadQuery.Get(key(kcl, "b")));
    assertThat(((ReadAnswer.Redirected) answer).unborn()).isFalse();
    assertThat(Grid.text(((ReadAnswer.Redirected) answer).header())).isEqualTo("x-x");
    before.write(key(kcl, "b"), "1");
    before.commitAndSettle();
    Outcome.Aborted moved = (Outcome.Aborted) before.outcome();
    assertThat(moved.reason()).isEqualTo(AbortReason.MOVED);
    assertThat(Grid.text(moved.header())).isEqualTo("x-x");
  }

  @Test
  void whileAPartIsMovedItsReadersGoOnAndItsWritersAreRefused() {
    put(CompositeKey.header(kcl), "a-z!m");
    put(key(kcl, "b"), "1");
    Grid.Tx writer = grid.begin(2);
    writer.write(key(kcl, "n"), "1");
    writer.commitAndSettle();
    assertThat(writer.reason()).isEqualTo(AbortReason.MOVED);
    Grid.Tx reader = grid.begin(2);
    assertThat(reader.get(key(kcl, "n"))).isNull();
    reader.scan(kcl, "m", "z");
    reader.write(key(kcl, "b"), "2");
    assertThat(reader.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    // The structure change itself is not checked against the header that it writes.
    Grid.Tx split = grid.begin(2);
    split.write(CompositeKey.header(kcl), "a-m");
    split.write(key(kcl, "n"), null);
    assertThat(split.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void aRangeThatIsNoLongerCoveredIsMoved() {
    put(CompositeKey.header(kcl), "a-z");
    Grid.Tx tx = grid.begin(2);
    tx.scan(kcl, "b", "y");
    tx.write(key(sibling, "c"), "1");
    put(CompositeKey.header(kcl), "a-m");
    tx.commitAndSettle();
    assertThat(tx.reason()).isEqualTo(AbortReason.MOVED);
  }

  @Test
  void scansEndAtTheFenceInBothDirections() {
    put(CompositeKey.header(kcl), "a-m");
    for (String ku : List.of("b", "c", "d")) {
      put(key(kcl, ku), ku);
    }
    put(key(kcl, "c"), null);
    Grid.Tx tx = grid.begin(2);
    assertThat(keys(scan(tx, "a", "z", false, 9))).isEqualTo("bcd");
    assertThat(((ReadAnswer.Scanned) scan(tx, "a", null, false, 9)).complete()).isTrue();
    assertThat(keys(scan(tx, "a", "m", true, 9))).isEqualTo("dcb");
    assertThat(keys(scan(tx, "b", "d", true, 9))).isEqualTo("cb");
    // In reverse it would have to begin above the fence.
    assertThat(scan(tx, "a", "z", true, 9)).isInstanceOf(ReadAnswer.Redirected.class);
    assertThat(scan(tx, "a", null, true, 9)).isInstanceOf(ReadAnswer.Redirected.class);
  }

  @Test
  void theLimitCountsLiveEntriesAndTombstonesAreReturned() {
    put(CompositeKey.header(kcl), "a-m");
    for (String ku : List.of("b", "c", "d", "e")) {
      put(key(kcl, ku), ku);
    }
    put(key(kcl, "c"), null);
    Grid.Tx tx = grid.begin(2);
    ReadAnswer.Scanned two = (ReadAnswer.Scanned) scan(tx, "a", null, false, 2);
    assertThat(keys(two)).isEqualTo("bcd");
    assertThat(two.complete()).isFalse();
    assertThat(two.entries().get(1).seen().tombstone()).isTrue();
    assertThat(Grid.text(two.header())).isEqualTo("a-m");
    assertThat(keys(scan(tx, "a", "m", true, 3))).isEqualTo("edcb");
  }

  @Test
  void theBoundsOnAnAnswerStopAScan() {
    ProtocolConfig tight = new ProtocolConfig(1_000, 2, 1 << 20, 64);
    Grid small = new Grid(1, 1, Fences.NONE, tight);
    for (String ku : List.of("b", "c", "d")) {
      small.put(0, small.key(0, ku), ku);
    }
    Grid.Tx tx = small.begin(0);
    ReadAnswer.Scanned scanned = tx.scan(small.kcl(0), "a", null);
    assertThat(keys(scanned)).isEqualTo("bc");
    assertThat(scanned.complete()).isFalse();
    ReadQuery.Scan keysOnly =
        new ReadQuery.Scan(small.kcl(0), Grid.bytes("a"), null, false, 1, false);
    ReadAnswer.Scanned one = (ReadAnswer.Scanned) tx.read(keysOnly);
    assertThat(one.entries()).singleElement().matches(e -> e.value() == null);
    assertThat(one.entries().get(0).seen().tombstone()).isFalse();
    ProtocolConfig bytes = new ProtocolConfig(1_000, 100, 1, 64);
    Grid narrow = new Grid(1, 1, Fences.NONE, bytes);
    narrow.put(0, narrow.key(0, "b"), "1");
    narrow.put(0, narrow.key(0, "c"), "1");
    assertThat(keys(narrow.begin(0).scan(narrow.kcl(0), "a", null))).isEqualTo("b");
  }

  @Test
  void aStructureChangeIsNotStarvedByAStreamOfWriters() {
    put(CompositeKey.header(kcl), "a-z");
    Grid.Tx first = grid.begin(2);
    first.write(key(kcl, "b"), "1");
    first.write(key(oddKcl(2), "b"), "1");
    first.commit();
    grid.hold(m -> m.message() instanceof Vote && m.to() == 2);
    grid.settle();
    Grid.Tx split = grid.begin(0);
    split.write(CompositeKey.header(kcl), "a-m");
    split.commit();
    assertThat(split.hasEnded()).isFalse();
    // The transactions that come now do not touch what the first one has locked; yet they do not
    // overtake.
    List<Grid.Tx> stream = new ArrayList<>();
    for (String ku : List.of("c", "d", "n")) {
      Grid.Tx tx = grid.begin(1);
      tx.write(key(kcl, ku), "1");
      tx.commit();
      stream.add(tx);
    }
    grid.settle();
    assertThat(stream).noneMatch(Grid.Tx::hasEnded);
    grid.letGo();
    assertThat(first.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(split.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(stream.get(0).outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(stream.get(1).outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(stream.get(2).reason()).isEqualTo(AbortReason.MOVED);
  }

  @Test
  void whoWaitedBehindAStructureChangeThatTimesOutGoesOn() {
    put(CompositeKey.header(kcl), "a-z");
    Grid.Tx first = grid.begin(2);
    first.write(key(kcl, "b"), "1");
    first.write(key(oddKcl(2), "b"), "1");
    first.commit();
    grid.hold(m -> m.message() instanceof Vote && m.to() == 2);
    grid.settle();
    Grid.Tx split = grid.begin(0);
    split.write(CompositeKey.header(kcl), "a-m");
    split.commit();
    Grid.Tx second = grid.begin(1);
    second.write(key(kcl, "c"), "1");
    second.commit();
    grid.settle();
    assertThat(second.hasEnded()).isFalse();
    grid.timeOutAt(0, split);
    assertThat(split.reason()).isEqualTo(AbortReason.LOCK_TIMEOUT);
    assertThat(grid.nodes.get(0).status().shards().get(0).waiting()).isZero();
    grid.letGo();
    assertThat(first.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(second.outcome()).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void entriesAreCountedWithoutTheHeaderAndGrowthIsTold() {
    put(CompositeKey.header(kcl), "a-z");
    put(key(kcl, "b"), "1");
    put(key(kcl, "c"), "1");
    put(key(kcl, "c"), "2");
    put(key(kcl, "d"), "1");
    put(key(kcl, "d"), null);
    assertThat(grid.nodes.get(0).size(kcl).entries()).isEqualTo(2);
    List<Effect> grown = grid.others.get(0).stream().filter(e -> e instanceof Effect.Grew).toList();
    assertThat(grown)
        .containsExactly(new Effect.Grew(kcl, 1), new Effect.Grew(kcl, 2), new Effect.Grew(kcl, 3));
    assertThat(grid.nodes.get(1).size(kcl).entries()).isZero();
  }
}
