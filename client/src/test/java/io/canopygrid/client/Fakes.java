package io.canopygrid.client;

import io.canopygrid.CommitState;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.client.Reply;
import java.util.List;

/** Answers that fake servers often give. */
final class Fakes {
  static final Reply DONE = new Reply.Done(new Reply.Seen(false, clock(3, 7)));
  static final Reply NO_ROUTES = new Reply.Routes(1, List.of(), List.of());

  private Fakes() {}

  static VectorClock clock(int shard, long number) {
    return VectorClock.of(new int[] {shard}, new long[] {number});
  }

  static Reply outcome(CommitState state) {
    return new Reply.Outcome(
        state, state == CommitState.COMMITTED ? clock(5, 9) : VectorClock.ZERO, null);
  }

  /** All keys are at one server. */
  static Reply allAt(FakeServer server, long version) {
    return new Reply.Routes(
        version, List.of(server.address()), List.of(new Reply.Route(new byte[0], 0, 4)));
  }
}
