package io.canopygrid.gmu.protocol.membership;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.message.Cut;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The cuts that this grid has made after power cuts, as far as this node knows (protocol.md, Cuts).
 * Changed under the protocol lock; any thread may look.
 */
public final class KnownCuts {
  private volatile List<Cut> cuts = List.of();

  /** All of them, the oldest first. */
  public List<Cut> all() {
    return cuts;
  }

  /** Takes in those that a disk or another member knows; true where one is new. */
  public boolean learn(Collection<Cut> told) {
    if (cuts.containsAll(told)) {
      return false;
    }
    TreeMap<Long, Cut> known = new TreeMap<>();
    cuts.forEach(cut -> known.put(cut.topology(), cut));
    told.forEach(cut -> known.put(cut.topology(), cut));
    cuts = List.copyOf(known.values());
    return true;
  }

  /**
   * The last cut that may have taken a commit which a clock has seen: in some shard the clock is
   * above what was kept, and below the beginning of the founding topology. No commit has the number
   * of the beginning itself, and what has begun since may have seen all up to there.
   *
   * @param epochStart the number right below the first one of a topology
   * @return null: there is none
   */
  public @Nullable Cut lostBy(VectorClock clock, LongUnaryOperator epochStart) {
    Cut last = null;
    for (Cut cut : cuts) {
      if (!cut.keeps(clock) && hasTaken(cut, clock, epochStart.applyAsLong(cut.topology()))) {
        last = cut;
      }
    }
    return last;
  }

  /** Whether a clock names a number above a cut that is from before it. */
  static boolean hasTaken(Cut cut, VectorClock clock, long begin) {
    for (int i = 0; i < clock.size(); i++) {
      long number = clock.numberAt(i);
      if (number < begin && number > cut.upTo().get(clock.shardAt(i))) {
        return true;
      }
    }
    return false;
  }
}
