package io.canopygrid.client;

import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /**
   * The answers of a server with one index, in which no key has a value; null: to another request.
   */
  static @Nullable Reply ofOneIndex(Request request, VectorClock clock) {
    Reply.Seen seen = new Reply.Seen(false, clock);
    if (request instanceof Request.OpenIndex open) {
      return new Reply.IndexOpened(7, open.name(), open.keyCodec(), open.valueCodec(), 1_000);
    }
    if (request instanceof Request.AskRoutes) {
      return NO_ROUTES;
    }
    if (request instanceof Request.Get) {
      return new Reply.Value(seen, null);
    }
    if (request instanceof Request.Commit) {
      return new Reply.Done(seen);
    }
    return request instanceof Request.Execute
        ? new Reply.Result(seen, Codec.int64().encode(1L), 0)
        : null;
  }

  /** All keys are at one server. */
  static Reply allAt(FakeServer server, long version) {
    return new Reply.Routes(
        version, List.of(server.address()), List.of(new Reply.Route(new byte[0], 0, 4)));
  }
}
