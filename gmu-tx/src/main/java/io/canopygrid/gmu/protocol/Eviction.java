package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.protocol.copy.ShardCopy;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.store.VersionChain;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lets values leave memory where entries take more than they may: goes round all copies in the
 * order of their keys, a few keys in each step, and passes those that were used since its last
 * round (docs/internals/storage.md, Larger than memory). Confined to the protocol lock.
 */
final class Eviction {
  /** The keys that one step passes. */
  private static final int KEYS = 32;

  /** The rounds of {@link #KEYS} in a tick. */
  private static final int ROUNDS = 32;

  private final NodeState node;
  private final Replicas replicas;
  private final int shards;

  /** The place where it goes on: a shard, and the last key that was passed there. */
  private int shard;

  private byte @Nullable [] passed;

  /** The shards that were passed without a value that could leave; all: nothing can until later. */
  private int fruitless;

  private boolean anyLeft;

  /** The values that have left in this step, for those who record it. */
  private int left;

  /**
   * @param shards how many there are, TOP included
   */
  Eviction(NodeState node, Replicas replicas, int shards) {
    this.node = node;
    this.replicas = replicas;
    this.shards = shards;
  }

  /** At the end of a step, which may have put many values. */
  void onStep() {
    if (!node.memory().isOver()) {
      return;
    }
    EvictionEvent event = begun();
    boolean goesOn = true;
    for (int i = 0; i < ROUNDS && goesOn && node.memory().isOver(); i++) {
      goesOn = fruitless <= 2 * shards && pass();
    }
    record(event);
  }

  /** At times: values may be able to leave that were not. */
  void tick() {
    fruitless = 0;
    if (!node.memory().isOver()) {
      return;
    }
    EvictionEvent event = begun();
    for (int i = 0; i < ROUNDS && node.memory().isOver() && fruitless <= 2 * shards; i++) {
      pass();
    }
    record(event);
  }

  private EvictionEvent begun() {
    left = 0;
    EvictionEvent event = new EvictionEvent();
    event.begin();
    return event;
  }

  private void record(EvictionEvent event) {
    event.ended(left, node.memory().bytes(), node.memory().bytesMax());
  }

  /** Passes some keys; whether a value has left. */
  private boolean pass() {
    Participant replica = replicas.get(shard);
    long upTo = replica == null ? 0 : replica.stored().readableUpTo();
    if (replica == null || upTo == 0) {
      next();
      return false;
    }
    ShardCopy copy = replica.stored().copy();
    OrderedCursor<VersionChain> cursor = copy.chains().view().ascending(from());
    boolean any = false;
    int keys = 0;
    boolean isEnd = false;
    while (keys < KEYS && !isEnd) {
      isEnd = !cursor.next();
      if (!isEnd) {
        keys++;
        passed = cursor.key();
        if (copy.evict(cursor.key(), cursor.value(), upTo)) {
          any = true;
          left++;
        }
      }
    }
    if (any) {
      anyLeft = true;
      replica.publish(); // what readers have had of them must leave, too, also at a backup
    }
    if (isEnd) {
      next();
    }
    return any;
  }

  /** The lowest key behind the one that was passed last. */
  private byte[] from() {
    return passed == null ? new byte[0] : Arrays.copyOf(passed, passed.length + 1);
  }

  private void next() {
    shard = (shard + 1) % shards;
    passed = null;
    fruitless = anyLeft ? 0 : fruitless + 1;
    anyLeft = false;
  }
}
