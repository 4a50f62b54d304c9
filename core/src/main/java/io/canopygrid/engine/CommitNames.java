package io.canopygrid.engine;

import io.canopygrid.wire.CommitId;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names this client's commits, so that the client can ask for their outcomes, and remembers the
 * names that it will not ask for any more. Thread-safe.
 */
public final class CommitNames {
  /** Most names that one commit says are done with. */
  private static final int FORGET_AT_ONCE_MAX = 64;

  /** Names beyond these are left to age. */
  private static final int DONE_MAX = 10_000;

  private final UUID client;
  private final AtomicLong numbers = new AtomicLong();
  private final Queue<CommitId> done = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  /** The names of a client that no other one is called like. */
  public CommitNames(UUID client) {
    this.client = client;
  }

  /**
   * A new name.
   *
   * @param gridMillis the time of the grid, as the server tells it
   * @param shard that the commit writes to, where its record is kept
   */
  public CommitId next(long gridMillis, int shard) {
    return new CommitId(client, gridMillis, numbers.incrementAndGet(), shard);
  }

  /** The grid has changed: it has no record of these. */
  public void clear() {
    while (!forgettable().isEmpty()) {
      // Names that are given out are forgotten.
    }
  }

  /** A commit was sent once and answered. */
  public void answered(CommitId name) {
    if (size.get() < DONE_MAX) {
      size.incrementAndGet();
      done.add(name);
    }
  }

  /** Some names that can be forgotten; each is given out once. */
  public List<CommitId> forgettable() {
    List<CommitId> some = new ArrayList<>();
    while (some.size() < FORGET_AT_ONCE_MAX) {
      CommitId name = done.poll();
      if (name == null) {
        break;
      }
      size.decrementAndGet();
      some.add(name);
    }
    return some;
  }
}
