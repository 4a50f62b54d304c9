package io.canopygrid.gmu.protocol.hot;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.message.Message.HotPush;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.protocol.read.ShardView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pushes that a shard's primary sends to one keeper in one topology (protocol.md, Hot entries).
 * Confined to the protocol lock.
 */
public final class HotStream {
  private final int shard;
  private final long topology;
  private long number;

  /** Up to here the keeper was told all of the keys that it keeps; it only grows. */
  private long upTo;

  /** The join of the horizons that the keeper was told since a push has begun. */
  private VectorClock horizon = VectorClock.ZERO;

  /** Whether the next push is to have whole chains. */
  private boolean begins = true;

  /** The keys, and headers of kcls, whose versions the keeper was told. */
  private final Set<CompositeKey> kept = new LinkedHashSet<>();

  HotStream(int shard, long topology) {
    this.shard = shard;
    this.topology = topology;
  }

  /** Whether the keeper was told of a key, and has it unless a push was lost. */
  boolean keeps(CompositeKey key) {
    return !begins && kept.contains(key);
  }

  /** The keeper has missed a push, or is told nothing for a while. */
  void beginAnew() {
    begins = true;
  }

  /**
   * The next push; null: there is nothing to say.
   *
   * @param view what the primary has published last
   * @param hot the keys of the shard that are hot
   * @param given the last number that the primary has given
   * @param always whether a keeper that keeps something is told also that nothing is new
   */
  @Nullable HotPush next(ShardView view, Collection<CompositeKey> hot, long given, boolean always) {
    Set<CompositeKey> wanted = wanted(view, hot);
    if (begins) {
      kept.clear();
      horizon = VectorClock.ZERO;
    }
    if (wanted.isEmpty() && kept.isEmpty()) {
      return null;
    }
    List<KeyVersions> told = new ArrayList<>();
    for (CompositeKey key : wanted) {
      VersionChain chain = view.chains().get(key.bytes());
      VersionChain versions =
          chain == null || !kept.contains(key) ? chain : versionsSince(chain, upTo);
      if (versions != null) {
        told.add(new KeyVersions(key, versions));
      }
    }
    List<CompositeKey> gone = kept.stream().filter(key -> !wanted.contains(key)).toList();
    long applied = upTo(view, given);
    Invariant.holds(applied >= upTo, "a stream of shard %s goes back: %s", shard, applied);
    if (!begins && told.isEmpty() && gone.isEmpty() && applied == upTo && !always) {
      return null;
    }
    HotPush push =
        new HotPush(
            topology, shard, ++number, begins, applied, toldHorizon(view, told), told, gone);
    kept.clear();
    kept.addAll(wanted);
    upTo = applied;
    begins = false;
    return push;
  }

  /** The hot keys that can be kept, and the headers of their kcls. */
  private static Set<CompositeKey> wanted(ShardView view, Collection<CompositeKey> hot) {
    Set<CompositeKey> wanted = new LinkedHashSet<>();
    for (CompositeKey key : hot) {
      VersionChain chain = view.chains().get(key.bytes());
      if (chain != null && !chain.hasCold() && isSmall(chain)) {
        wanted.add(key);
        wanted.add(CompositeKey.header(key.kcl()));
      }
    }
    return wanted;
  }

  private static boolean isSmall(VersionChain chain) {
    long bytes = 0;
    for (VersionChain v = chain; v != null; v = v.older()) {
      bytes += v.size();
    }
    return bytes <= HotLimits.CHAIN_BYTES_MAX;
  }

  /** The versions of a chain that are above what the keeper was told; null: there are none. */
  static @Nullable VersionChain versionsSince(VersionChain chain, long told) {
    return chain.above(told);
  }

  /** Up to where a view has all versions: what is given beyond that may be applied later. */
  static long upTo(ShardView view, long given) {
    return view.log().applied();
  }

  /** The horizon up to which versions may be missing; zero: no higher one than was told. */
  private VectorClock toldHorizon(ShardView view, List<KeyVersions> told) {
    if (told.isEmpty() || view.horizon().precedesOrEquals(horizon)) {
      return VectorClock.ZERO;
    }
    horizon = horizon.join(view.horizon());
    return horizon;
  }
}
