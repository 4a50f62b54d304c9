package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.DiskTrouble;
import io.canopygrid.gmu.message.DiskTrouble.Kind;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.spi.Fences;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes are refused where a replica's disk is full or slow (protocol.md, Disks in trouble). */
final class TroubledDisksScenarioTest {
  private static final String FULL = "disk d has 3 MiB left";

  /** Three nodes, two owners: node 1 is the primary of shard 1 and the backup of shard 0. */
  private final Grid grid = new Grid(3, 2, Fences.NONE);

  private void hasRoom(int node, @Nullable String full) {
    grid.disk(node, full == null ? null : new DiskTrouble(Kind.FULL, full));
    grid.tick();
    grid.settle();
  }

  private static void assertFull(Outcome outcome, CompositeKey key) {
    Outcome.Aborted aborted = (Outcome.Aborted) outcome;
    assertThat(aborted.reason()).isEqualTo(AbortReason.DISK_FULL);
    assertThat(aborted.otherLabel()).isEqualTo(FULL);
    assertThat(aborted.key()).isEqualTo(key);
  }

  /** One phase at 0, by itself at 1, delegated by 2: all before a message is sent. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void whoeverCoordinatesRefusesBeforeAnyLock(int coordinator) {
    CompositeKey backedUp = grid.key(0, "a");
    CompositeKey led = grid.key(1, "a");
    hasRoom(1, FULL);

    for (CompositeKey key : new CompositeKey[] {backedUp, led}) {
      Grid.Tx tx = grid.begin(coordinator);
      tx.write(grid.key(2, "b"), "x");
      tx.write(key, "x");
      tx.commit();
      assertThat(grid.wire).isEmpty();
      assertFull(tx.outcome(), key);
    }
    assertThat(grid.put(coordinator, grid.key(2, "b"), "x")).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.nodes.get(1).status().shards()).allMatch(ProtocolStatus.Shard::isIdle);

    hasRoom(1, null);
    assertThat(grid.put(coordinator, backedUp, "x")).isInstanceOf(Outcome.Committed.class);
  }

  /**
   * Its coordinator has not heard of it: each owner refuses by itself, and nothing stays behind.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void anOwnerRefusesWhatItIsAskedToPrepare(int shard) {
    CompositeKey key = grid.key(shard, "a");
    grid.disk(1, new DiskTrouble(Kind.FULL, FULL));

    Grid.Tx tx = grid.begin(2);
    tx.write(key, "x");
    tx.write(grid.key(2, "b"), "x");
    assertFull(tx.commitAndSettle(), key);
    assertThat(grid.begin(2).get(grid.key(2, "b"))).isNull();
    for (ProtocolNode node : grid.nodes) {
      assertThat(node.status().shards()).allMatch(ProtocolStatus.Shard::isIdle);
    }
    assertThat(grid.put(2, grid.key(2, "b"), "y")).isInstanceOf(Outcome.Committed.class);
  }

  /** Kcls are any numbers; those of the layers' own notes are few, and just below 0. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -ShardMap.NOTE_KCLS - 50})
  void anEntryBelowZeroIsOneToo(long from) {
    long kcl = from;
    while (grid.map.shardOf(kcl) != 1) {
      kcl++;
    }
    CompositeKey key = CompositeKey.of(kcl, Grid.bytes("a"));
    grid.disk(1, new DiskTrouble(Kind.FULL, FULL));
    assertFull(grid.put(1, key, "x"), key);
    assertThat(grid.put(1, CompositeKey.of(-1, Grid.bytes("note")), "x"))
        .isInstanceOf(Outcome.Committed.class);
  }

  /** The primary of its only shard decides, and has not told that its disk is full. */
  @Test
  void aPrimaryRefusesWhatIsDelegatedToIt() {
    CompositeKey key = grid.key(1, "a");
    grid.disk(1, new DiskTrouble(Kind.FULL, FULL));
    assertFull(grid.put(0, key, "x"), key);
    grid.disk(1, null);
    assertThat(grid.put(0, key, "y")).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.begin(2).get(key)).isEqualTo("y");
  }

  /** A yes is not taken back where the prepare comes again: the record has its room. */
  @Test
  void whatIsPreparedCommits() {
    Grid.Tx tx = grid.begin(2);
    tx.write(grid.key(1, "a"), "x");
    tx.write(grid.key(2, "b"), "x");
    grid.hold(m -> m.to() == 1 && m.message() instanceof Message.Prepare);
    tx.commit();
    grid.settle();
    List<Grid.InFlight> prepares = List.copyOf(grid.wire);
    assertThat(prepares).hasSize(1);
    grid.hand(prepares.get(0));
    grid.disk(1, new DiskTrouble(Kind.FULL, FULL));
    grid.hand(prepares.get(0));
    grid.letGo();
    assertThat(tx.outcome()).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void readsRemovalsAndMovesAwayGoOn() {
    CompositeKey old = grid.key(1, "a");
    CompositeKey target = grid.key(2, "a");
    assertThat(grid.put(0, old, "x")).isInstanceOf(Outcome.Committed.class);
    // Node 1 has no copy of shard 2.
    hasRoom(1, FULL);

    Grid.Tx move = grid.begin(0);
    assertThat(move.get(old)).isEqualTo("x");
    move.write(target, "x");
    move.write(old, null, TxId.NOBODY);
    move.write(CompositeKey.header(grid.kcl(1)), "narrower");
    move.write(ReservedKcl.CROWN.key(Grid.bytes("c")), "leads there");
    assertThat(move.commitAndSettle()).isInstanceOf(Outcome.Committed.class);

    Grid.Tx back = grid.begin(0);
    back.write(target, null, TxId.NOBODY);
    back.write(old, "x");
    assertFull(back.commitAndSettle(), old);
    assertThat(grid.put(0, target, null)).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.put(0, old, null)).isInstanceOf(Outcome.Committed.class);
    assertThat(grid.begin(1).get(target)).isNull();
  }

  /** The word of a node that has left counts no more, and a change of topology takes none back. */
  @Test
  void aWordCountsAsLongAsItsNodeIsAReplica() {
    CompositeKey key = grid.key(1, "a");
    hasRoom(1, FULL);
    grid.expel(2, 0);
    grid.settle();
    assertFull(grid.put(2, key, "x"), key);

    grid.crash(1);
    grid.expel(3, 1);
    grid.settle();
    grid.tick();
    grid.settle();
    assertThat(grid.put(2, key, "x")).isInstanceOf(Outcome.Committed.class);
  }

  /** A removal takes no room, but it has to be stored like any other write. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSlowDiskTakesNoRemovalEither(boolean isHeard) {
    CompositeKey key = grid.key(1, "a");
    assertThat(grid.put(0, key, "x")).isInstanceOf(Outcome.Committed.class);
    grid.disk(1, new DiskTrouble(Kind.SLOW, "disk d hangs"));
    if (isHeard) {
      grid.tick();
      grid.settle();
    }
    Grid.Tx remove = grid.begin(2);
    remove.write(key, null, TxId.NOBODY);
    remove.write(grid.key(2, "b"), "x");
    Outcome.Aborted aborted = (Outcome.Aborted) remove.commitAndSettle();
    assertThat(aborted.reason()).isEqualTo(AbortReason.DISK_SLOW);
    assertThat(aborted.key()).isEqualTo(key);
    assertThat(aborted.otherLabel()).isEqualTo("disk d hangs");
    assertThat(grid.begin(2).get(key)).isEqualTo("x");
    assertThat(grid.put(2, CompositeKey.header(grid.kcl(1)), "narrower"))
        .as("the grid's bookkeeping goes on")
        .isInstanceOf(Outcome.Committed.class);

    grid.disk(1, null);
    grid.tick();
    grid.settle();
    assertThat(grid.put(0, key, null)).isInstanceOf(Outcome.Committed.class);
  }
}
