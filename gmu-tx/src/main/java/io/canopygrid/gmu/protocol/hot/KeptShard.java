package io.canopygrid.gmu.protocol.hot;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.message.Message.HotPush;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stream of one shard as a keeper has taken it. Confined to the protocol lock. */
public final class KeptShard {
  private final int shard;

  /** The topology of the last push. */
  private long topology;

  /** The last push of that topology that was taken. */
  private long taken;

  /** Whether the copies are what the stream has said up to that push. */
  private boolean isInOrder;

  private long heardAtNanos;

  /** Whether a push was heard since the copies were dropped last. */
  private boolean isHeard;

  /** Null: there are no copies. */
  private @Nullable HotView view;

  KeptShard(int shard) {
    this.shard = shard;
  }

  /** The copies; null: there are none. */
  public @Nullable HotView view() {
    return view;
  }

  /** Takes a push, or drops all where one was missed. */
  void onPush(HotPush push, long nowNanos) {
    if (!isOfStream(push)) {
      topology = push.topology();
      taken = 0;
      isInOrder = false;
    }
    heardAtNanos = nowNanos;
    isHeard = true;
    if (push.begins() && push.number() > taken) {
      take(push, VectorClock.ZERO, Map.of());
    } else if (isNext(push)) {
      HotView before = Invariant.present(view, "a push that nothing came before");
      Invariant.holds(
          push.upTo() >= before.upTo(), "a stream of shard %s goes back: %s", shard, push.upTo());
      take(push, before.horizon(), before.copies());
    } else if (push.number() > taken) {
      isInOrder = false;
      view = null;
    }
  }

  /** Whether a push is one of the stream that was heard last: each topology has its own. */
  boolean isOfStream(HotPush push) {
    return push.topology() == topology;
  }

  /** Whether a push comes right after the one that was taken last. */
  boolean isNext(HotPush push) {
    return isInOrder && push.number() == taken + 1;
  }

  private void take(HotPush push, VectorClock horizon, Map<CompositeKey, HotCopy> before) {
    VectorClock told = horizon.join(push.horizon());
    boolean isSame = push.changed().isEmpty() && push.gone().isEmpty();
    taken = push.number();
    isInOrder = true;
    view = new HotView(shard, push.upTo(), told, isSame ? before : changed(push, told, before));
  }

  /** The copies with what a push has brought; views of before keep theirs. */
  private static Map<CompositeKey, HotCopy> changed(
      HotPush push, VectorClock horizon, Map<CompositeKey, HotCopy> before) {
    Map<CompositeKey, HotCopy> copies = new HashMap<>(before);
    push.gone().forEach(copies::remove);
    for (KeyVersions each : push.changed()) {
      HotCopy copy = copies.get(each.key());
      VersionChain chain =
          VersionChain.install(copy == null ? null : copy.chain(), each.chain()).prune(horizon);
      if (chain == null) {
        copies.remove(each.key());
      } else {
        HotCopy.Tally tally = copy == null ? new HotCopy.Tally() : copy.tally();
        copies.put(each.key(), new HotCopy(chain, tally));
      }
    }
    return copies;
  }

  /** Whether a push was missed, and none has begun since, in this topology. */
  boolean isBehind(long installed) {
    return !isInOrder && topology == installed && isHeard;
  }

  /** Drops the copies where nothing was heard for so long. */
  void expire(long nowNanos, long stayNanos) {
    if (nowNanos - heardAtNanos > stayNanos) {
      drop();
    }
  }

  /** Drops the copies; a push that begins brings others. */
  void drop() {
    view = null;
    isInOrder = false;
    isHeard = false;
  }
}
