package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.node.GmuNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A simulated grid as a {@link GridProgram} sees it. Times are in units of virtual time. */
public interface SimulatedGrid {
  /** The seed's random numbers for one purpose; there is no other source of chance in a run. */
  SeededRandom random(int purpose);

  long now();

  /** Blocks the calling client. */
  void sleep(long units);

  /** Starts a client after a time. */
  void client(String name, long delay, Runnable body);

  /** The number of clients that have not ended. */
  int clients();

  /** The members at which transactions can begin. */
  List<GmuNode> usable();

  /** One of them; blocks the calling client as long as there is none. */
  default GmuNode anyUsable(SeededRandom random) {
    List<GmuNode> usable = usable();
    while (usable.isEmpty()) {
      sleep(10);
      usable = usable();
    }
    return random.oneOf(usable);
  }

  /** Whether a node has not died. */
  boolean isAlive(GmuNode node);

  /** The thread that runs now; null: none of a client or of a node's. Any thread may ask. */
  @Nullable Thread runningThread();

  /**
   * The number of events so far, which grows as long as no client blocks in another way than by
   * this grid. Any thread may ask.
   */
  long steps();

  /** Uses a node: one that wants to leave in order waits for the end of this. */
  void use(GmuNode node, Runnable body);

  /** Whether there are no more faults, and all that they have done is repaired. */
  boolean isCalm();

  /** The clock of the calling client's last commit that was told and not taken yet. */
  @Nullable VectorClock takeCommitted();

  /** Puts a line into the trace. */
  void note(String what);

  /** Something went wrong. */
  void problem(String what);

  /**
   * The transactions of which the owners have ever had a version. A transaction of which only other
   * nodes had versions, because they were cut off from the rest together with its coordinator, did
   * not happen.
   */
  Set<TxId> lasting();

  /** Whether a cut that was made from a time on has taken a commit of before with this clock. */
  boolean isCut(VectorClock clock, long since);

  /** Whether a cut was made from a time on. */
  boolean isAnyCut(long since);

  /** A client was told that what it has seen, up to a clock, may be lost. */
  void toldLost(VectorClock seen);

  /** By node the newest value of each key that it owns a copy of, tombstones left out. */
  Map<GmuNode, Map<CompositeKey, byte[]>> copies();
}
