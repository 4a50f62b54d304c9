package io.canopygrid.gmu.protocol.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.UpTo;
import io.canopygrid.gmu.storage.StepChanges;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The state that a learner with most of a shard is sent (protocol.md, Coming back). */
final class ComingBackTest {
  private static final int SHARD = 0;
  private static final long FOUNDED = 5;
  private static final NodeId NODE = new NodeId(1);
  private static final CompositeKey A = CompositeKey.of(1, new byte[] {1});
  private static final CompositeKey B = CompositeKey.of(1, new byte[] {2});
  private static final CompositeKey C = CompositeKey.of(1, new byte[] {3});

  private final Removals removals = new Removals(250);
  private final ShardCopy primary =
      new ShardCopy(
          SHARD,
          TreeMapStore.FACTORY,
          new StepChanges(true, false),
          removals,
          new EntryRoom(Long.MAX_VALUE, 1));

  ComingBackTest() {
    removals.begin(SHARD, 0);
  }

  private void write(long number, CompositeKey key, byte @Nullable [] value) {
    Footprint.Write write = new Footprint.Write(key, value, null);
    TxRecord rec =
        new TxRecord(
            new TxId(NODE, number),
            SHARD,
            List.of(SHARD),
            VectorClock.ZERO,
            new Footprint(List.of(), List.of(), List.of(write)),
            false,
            "test");
    primary.apply(rec, VectorClock.ZERO.with(SHARD, number));
  }

  private void drop(long horizon) {
    primary.prune(VectorClock.ZERO.with(SHARD, horizon));
  }

  private List<State> state(UpTo has) {
    StateRequest asked = new StateRequest(9, SHARD, 1, has);
    return StateChunks.of(primary, List.of(), SHARD, asked, 1, FOUNDED);
  }

  private static List<CompositeKey> sent(List<State> state) {
    return state.stream().flatMap(s -> s.chains().stream()).map(KeyVersions::key).toList();
  }

  private static List<CompositeKey> gone(List<State> state) {
    return state.stream().flatMap(s -> s.gone().stream()).toList();
  }

  @Test
  void whatHasChangedIsSent() {
    write(1, A, new byte[1]);
    write(2, B, new byte[1]);
    write(3, C, new byte[1]);
    write(4, B, null);
    drop(4);
    List<State> state = state(new UpTo(FOUNDED, 2));
    assertThat(sent(state)).containsExactly(C);
    assertThat(gone(state)).containsExactly(B);
    assertThat(state).extracting(State::since).containsOnly(2L);
    assertThat(state.get(state.size() - 1).last()).isTrue();
  }

  @Test
  void allIsSentWhereNothingIsKnown() {
    write(1, A, new byte[1]);
    write(2, B, new byte[1]);
    List<State> state = state(UpTo.NOTHING);
    assertThat(sent(state)).containsExactly(A, B);
    assertThat(state).extracting(State::since).containsOnly(0L);
  }

  /** A copy that was complete before that may have what this grid has lost. */
  @Test
  void allIsSentWhereTheGridWasFoundedSince() {
    write(1, A, new byte[1]);
    write(2, B, new byte[1]);
    assertThat(sent(state(new UpTo(FOUNDED - 1, 1)))).containsExactly(A, B);
    assertThat(sent(state(new UpTo(FOUNDED, 1)))).containsExactly(B);
  }

  @Test
  void allIsSentWhereRemovalsAreForgotten() {
    for (int i = 1; i <= 3; i++) {
      write(2L * i - 1, CompositeKey.of(1, new byte[] {(byte) i}), new byte[1]);
      write(2L * i, CompositeKey.of(1, new byte[] {(byte) i}), null);
      drop(2L * i);
    }
    write(7, A, new byte[1]);
    assertThat(state(new UpTo(FOUNDED, 1))).extracting(State::since).containsOnly(0L);
    List<State> state = state(new UpTo(FOUNDED, 2));
    assertThat(gone(state)).as("A is there again").containsExactly(B, C);
    assertThat(sent(state)).containsExactly(A);
  }

  /** A copy that was told of a removal tells another one of it. */
  @Test
  void aRemovalIsHandedOn() {
    primary.knowsRemovalsFrom(1);
    write(1, A, new byte[1]);
    primary.mergeChanges(List.of(), List.of(A), 4);
    assertThat(primary.chains().size()).isZero();
    assertThat(gone(state(new UpTo(FOUNDED, 3)))).containsExactly(A);
  }
}
