package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.protocol.copy.MergedClocks;
import io.canopygrid.gmu.protocol.lock.LockRequest;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.protocol.read.ShardView;

/** Broken rules of the protocol that the layers above can notice. */
public final class ProtocolBugs {
  /** A prepare does not lock the headers of the kcls that it touches. */
  public static final Replacement HEADERS_NOT_LOCKED =
      Replacement.skipping(LockRequest.class, "lockHeaders");

  /** A commit is not above the one that has written its keys' header. */
  public static final Replacement HEADERS_NOT_JOINED =
      Replacement.returning(MergedClocks.class, "headerClock", VectorClock.ZERO);

  /** A backup tells that it has no header of a kcl. */
  public static final Replacement BACKUP_GUESSES =
      Replacement.returning(ShardView.class, "backupTells", true);

  /** A transaction keeps all answers to reads that it asked for at the same time. */
  public static final Replacement PARALLEL_READS_KEPT =
      Replacement.returning(LocalRead.class, "agrees", true);

  /** The horizon does not wait for running transactions. */
  public static final Replacement HORIZON_OVERTAKES =
      Replacement.replacing(
          Coordinator.class, "meetInUse", call -> call.argument(0, VectorClock.class));

  /** States of the past do not hold the horizon back. */
  public static final Replacement MARKS_NOT_MET =
      Replacement.replacing(
          Garbage.class, "meetMarks", call -> call.argument(0, VectorClock.class));

  /** A primary does not look whether a snapshot whose pin may be gone is above the horizon. */
  public static final Replacement PAST_UNSEEN =
      Replacement.returning(NarrowClocks.class, "isWhole", false);

  private ProtocolBugs() {}
}
