package io.canopygrid.btree.access;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.node.CommitsLostException;
import io.canopygrid.gmu.node.ForeignClockException;
import io.canopygrid.gmu.node.NodeClosedException;
import io.canopygrid.gmu.node.UnknownClockException;
import io.canopygrid.transaction.Session;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Turns failures of the layers below into the coded errors of the public API. */
public final class Failures {
  /** The words for a snapshot that is not kept any more. */
  public static final String TOO_OLD =
      "versions that the snapshot needs are gone: the transaction has run for longer than"
          + " cluster.snapshotAgeMax, or its named snapshot was dropped";

  private Failures() {}

  /** A read that got no answer. */
  public static CanopyException unanswered(ReadAnswer answer, @Nullable String id) {
    if (answer instanceof ReadAnswer.Unavailable unavailable) {
      return failure(
          ErrorCode.SHARD_UNAVAILABLE,
          "no owner of shard " + unavailable.shard() + " can be reached",
          id,
          null);
    }
    if (answer instanceof ReadAnswer.TooOld) {
      return failure(ErrorCode.SNAPSHOT_TOO_OLD, TOO_OLD, id, null);
    }
    return failure(ErrorCode.INTERNAL_ERROR, "not an answer to the question: " + answer, id, null);
  }

  /** An index that a transaction has opened was dropped. The facts say which of its name. */
  public static CanopyException dropped(IndexRef index, @Nullable String id) {
    return new CanopyException(
        ErrorCode.UNKNOWN_INDEX,
        "index '" + index.name() + "' was dropped",
        CommitState.NOT_COMMITTED,
        id,
        null,
        Map.of("index", index.name(), "number", Integer.toString(index.number())));
  }

  /** A subtree of an index was in a shard that began empty when its disks were given up. */
  public static CanopyException lost(IndexRef index, @Nullable String id) {
    return new CanopyException(
        ErrorCode.DISKS_LOST,
        "a part of index '"
            + index.name()
            + "' is at no node: it was on disks that were given up, and where none were, this is a"
            + " defect of Canopy; drop the index, and load it anew",
        CommitState.NOT_COMMITTED,
        id,
        null,
        Map.of("index", index.name(), "number", Integer.toString(index.number())));
  }

  /**
   * The entries of a table's index were dropped under a transaction that can run again. The facts
   * are those of the drop.
   */
  public static CanopyException conflict(CanopyException dropped, @Nullable String id) {
    return new CanopyException(
        ErrorCode.WRITE_CONFLICT,
        dropped.detail(),
        CommitState.NOT_COMMITTED,
        id,
        dropped,
        dropped.facts());
  }

  /** The time was over before anything was sent to be committed. */
  public static CanopyException timeout(@Nullable String id, TimeoutException cause) {
    return failure(
        ErrorCode.TIMEOUT, "the transaction's time was over: " + cause.getMessage(), id, cause);
  }

  /** An exception of the node while nothing was being committed. */
  public static RuntimeException ofNode(RuntimeException e, @Nullable String id) {
    if (e instanceof NodeClosedException closed && closed.comesBack()) {
      return failure(
          ErrorCode.SHARD_UNAVAILABLE,
          "this node was cut off from the others and is joining again",
          id,
          e);
    }
    if (e instanceof NodeClosedException) {
      return failure(ErrorCode.CANOPY_CLOSED, "the node is closed", id, e);
    }
    if (e instanceof ForeignClockException) {
      return failure(
          ErrorCode.INVALID_TOKEN,
          e.getMessage() + ": it is of another grid, or of a former life of this one",
          id,
          e);
    }
    if (e instanceof CommitsLostException lost) {
      return new CanopyException(
          ErrorCode.COMMITS_LOST,
          String.valueOf(e.getMessage()),
          CommitState.NOT_COMMITTED,
          id,
          e,
          Map.of(Session.LOST_UP_TO, Long.toString(lost.upTo())));
    }
    if (e instanceof UnknownClockException) {
      return failure(ErrorCode.SHARD_UNAVAILABLE, String.valueOf(e.getMessage()), id, e);
    }
    if (e instanceof CancellationException) {
      return failure(ErrorCode.INTERRUPTED, "the thread was interrupted", id, e);
    }
    if (e instanceof InvariantViolation) {
      return failure(ErrorCode.INTERNAL_ERROR, String.valueOf(e.getMessage()), id, e);
    }
    return e;
  }

  /** An error of a transaction that has changed nothing. */
  public static CanopyException failure(
      ErrorCode code, String detail, @Nullable String id, @Nullable Throwable cause) {
    return new CanopyException(code, detail, CommitState.NOT_COMMITTED, id, cause);
  }

  /** An error of a commit whose outcome is not known. */
  public static CanopyException unknown(ErrorCode code, String detail, String id) {
    return new CanopyException(code, detail, CommitState.UNKNOWN, id, null);
  }
}
