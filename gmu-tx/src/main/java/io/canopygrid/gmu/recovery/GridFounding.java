package io.canopygrid.gmu.recovery;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Cut;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a grid is founded from disks, as its members need to know it. Immutable.
 *
 * @param topology the id of the founding topology
 * @param over the topologies before it from which others could found a grid as long as not all of
 *     its members have installed it
 * @param seen the join of what the disks have seen: transactions begin there
 * @param cut the part of all commits that is kept; null: all are
 */
public record GridFounding(
    long topology, List<Topology> over, VectorClock seen, @Nullable Cut cut) {
  public GridFounding {
    over = List.copyOf(over);
  }
}
