package io.canopygrid.xa;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyXaResource;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.engine.PreparedTransactions.Ending;
import java.time.Duration;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/** One resource, by the rules of the specification of XA (X/Open CAE C193). */
final class BranchResource implements CanopyXaResource {
  private static final Xid[] NONE = {};

  private final BranchTable branches;
  private final TransactionOptions options;

  /** The timeout that the transaction manager wants; null: that of the options. */
  private @Nullable Duration timeout;

  /** The branch in which it works; null: in none. */
  private @Nullable Branch current;

  BranchResource(BranchTable branches, TransactionOptions options) {
    this.branches = branches;
    this.options = options;
  }

  @Override
  public Transaction transaction() {
    Branch branch = current;
    if (branch == null) {
      throw new CanopyException(
          ErrorCode.TRANSACTION_CLOSED,
          "no global transaction has been started at the resource: enlist it first");
    }
    return branch.transaction().transaction();
  }

  // ---- work

  @Override
  public void start(Xid xid, int flags) throws XAException {
    if (current != null) {
      throw XaErrors.of(XAException.XAER_PROTO, "it works in " + current.id() + " already");
    }
    BranchId id = id(xid);
    switch (flags) {
      case XAResource.TMNOFLAGS -> current = begin(id);
      case XAResource.TMJOIN -> {
        Branch branch = known(id);
        branch.start(this);
        current = branch;
      }
      case XAResource.TMRESUME -> {
        Branch branch = known(id);
        if (!branch.resume(this)) {
          throw XaErrors.of(XAException.XAER_PROTO, "it was not suspended in " + id);
        }
        current = branch;
      }
      default -> throw XaErrors.of(XAException.XAER_INVAL, "flags of a start: " + flags);
    }
  }

  private Branch begin(BranchId id) throws XAException {
    try {
      Duration wanted = timeout;
      Branch branch = branches.begin(id, wanted == null ? options : options.withTimeout(wanted));
      if (branch == null) {
        throw XaErrors.of(XAException.XAER_DUPID, id + " has been started before");
      }
      branch.start(this);
      return branch;
    } catch (CanopyException e) {
      throw XaErrors.unavailable(e);
    }
  }

  @Override
  public void end(Xid xid, int flags) throws XAException {
    BranchId id = id(xid);
    if (current != null && current.id().equals(id) && branches.find(id) == null) {
      current = null; // it has ended through another resource
    }
    Branch branch = known(id);
    boolean worked =
        switch (flags) {
          case XAResource.TMSUSPEND -> branch.suspend(this);
          case XAResource.TMSUCCESS -> branch.end(this);
          case XAResource.TMFAIL -> {
            boolean ended = branch.end(this);
            if (ended) {
              branch.fail();
            }
            yield ended;
          }
          default -> throw XaErrors.of(XAException.XAER_INVAL, "flags of an end: " + flags);
        };
    if (!worked) {
      throw XaErrors.of(XAException.XAER_PROTO, "it does not work in " + id);
    }
    if (branch.equals(current)) {
      current = null;
    }
  }

  private Branch known(BranchId id) throws XAException {
    Branch branch = branches.find(id);
    if (branch == null) {
      throw XaErrors.of(XAException.XAER_NOTA, "no branch " + id);
    }
    return branch;
  }

  private Branch idle(BranchId id) throws XAException {
    Branch branch = known(id);
    if (!branch.isIdle()) {
      throw XaErrors.of(XAException.XAER_PROTO, id + " has not been ended");
    }
    return branch;
  }

  // ---- ends

  @Override
  public int prepare(Xid xid) throws XAException {
    Branch branch = idle(id(xid));
    if (branch.isRollbackOnly()) {
      rollBack(branch);
      throw XaErrors.of(XAException.XA_RBROLLBACK, "its work has failed: " + branch.id());
    }
    if (branch.isPerhapsPrepared()) {
      throw XaErrors.of(XAException.XAER_PROTO, branch.id() + " was to be prepared before");
    }
    try {
      boolean decided = branch.transaction().prepare(branches.grid(), branch.id());
      branches.remove(branch);
      return decided ? XAResource.XA_RDONLY : XAResource.XA_OK;
    } catch (CanopyException e) {
      if (e.commitState() == CommitState.UNKNOWN) {
        branch.mayBePrepared();
      } else {
        branches.remove(branch);
      }
      throw XaErrors.rolledBack(e, XAException.XAER_RMFAIL);
    }
  }

  @Override
  public void commit(Xid xid, boolean onePhase) throws XAException {
    BranchId id = id(xid);
    if (onePhase) {
      commitAtOnce(idle(id));
      return;
    }
    if (branches.find(id) != null) {
      throw XaErrors.of(XAException.XAER_PROTO, id + " is not prepared");
    }
    try {
      requireDone(id, branches.ended(branches.grid().commit(id)));
    } catch (CanopyException e) {
      throw XaErrors.unavailable(e);
    }
  }

  private void commitAtOnce(Branch branch) throws XAException {
    if (branch.isRollbackOnly()) {
      rollBack(branch);
      throw XaErrors.of(XAException.XA_RBROLLBACK, "its work has failed: " + branch.id());
    }
    try {
      branch.transaction().commit();
    } catch (CanopyException e) {
      throw XaErrors.rolledBack(e, XAException.XA_HEURHAZ);
    } finally {
      branches.remove(branch);
    }
  }

  @Override
  public void rollback(Xid xid) throws XAException {
    BranchId id = id(xid);
    Branch branch = branches.find(id);
    if (branch != null && !branch.isPerhapsPrepared()) {
      rollBack(branch);
      return;
    }
    try {
      Ending ending = branches.ended(branches.grid().rollback(id));
      if (branch != null) {
        branches.remove(branch);
      }
      if (branch == null || ending != Ending.UNKNOWN) {
        requireDone(id, ending);
      }
    } catch (CanopyException e) {
      throw XaErrors.unavailable(e);
    }
  }

  private void rollBack(Branch branch) {
    branches.remove(branch);
    branch.transaction().rollback();
    if (branch.equals(current)) {
      current = null;
    }
  }

  private static void requireDone(BranchId id, Ending ending) throws XAException {
    switch (ending) {
      case DONE -> {}
      case UNKNOWN -> throw XaErrors.of(XAException.XAER_NOTA, "no branch " + id + " is prepared");
      case COMMITTED_BY_HAND ->
          throw XaErrors.of(XAException.XA_HEURCOM, id + " was committed by hand");
      case ROLLED_BACK_BY_HAND ->
          throw XaErrors.of(XAException.XA_HEURRB, id + " was rolled back by hand");
    }
  }

  @Override
  public void forget(Xid xid) throws XAException {
    BranchId id = id(xid);
    try {
      if (!branches.grid().forget(id)) {
        throw XaErrors.of(XAException.XAER_NOTA, id + " was not decided by hand");
      }
    } catch (CanopyException e) {
      throw XaErrors.unavailable(e);
    }
  }

  // ---- recovery, and the rest

  /** All branches come with the beginning of a scan, and nothing with the rest of it. */
  @Override
  public Xid[] recover(int flags) throws XAException {
    int known = XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN;
    if ((flags & ~known) != 0) {
      throw XaErrors.of(XAException.XAER_INVAL, "flags of a recovery: " + flags);
    }
    if ((flags & XAResource.TMSTARTRSCAN) == 0) {
      return NONE;
    }
    try {
      return branches.grid().list().stream().map(PreparedTransaction::id).toArray(Xid[]::new);
    } catch (CanopyException e) {
      throw XaErrors.unavailable(e);
    }
  }

  @Override
  public boolean isSameRM(XAResource other) {
    return other instanceof BranchResource resource && resource.branches.equals(branches);
  }

  @Override
  public int getTransactionTimeout() {
    Duration wanted = timeout;
    return (int) (wanted == null ? options.timeout() : wanted).toSeconds();
  }

  @Override
  public boolean setTransactionTimeout(int seconds) throws XAException {
    if (seconds < 0) {
      throw XaErrors.of(XAException.XAER_INVAL, "must be >= 0: seconds=" + seconds);
    }
    if (seconds > TransactionOptions.TIMEOUT_MAX.toSeconds()) {
      return false;
    }
    timeout = seconds == 0 ? null : Duration.ofSeconds(seconds);
    return true;
  }

  private static BranchId id(@Nullable Xid xid) throws XAException {
    if (xid == null) {
      throw XaErrors.of(XAException.XAER_INVAL, "the id is null");
    }
    try {
      return BranchId.of(xid);
    } catch (IllegalArgumentException e) {
      throw XaErrors.of(XAException.XAER_INVAL, String.valueOf(e.getMessage()));
    }
  }
}
