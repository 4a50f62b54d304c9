package io.canopygrid.xa;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyXa;
import io.canopygrid.CanopyXaResource;
import io.canopygrid.ErrorCode;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.PreparedTransactions.Ending;
import io.canopygrid.transaction.OpenBranch;
import io.canopygrid.transaction.Session;
import java.util.List;
import java.util.function.Function;

/** Global transactions through one handle. Thread-safe. */
public final class XaBranches implements CanopyXa {
  private final BranchTable branches;

  /**
   * The branches of a handle.
   *
   * @param begin begins the transaction of a branch
   * @param open throws where the handle is closed
   */
  public XaBranches(
      Engine engine,
      Session session,
      Function<TransactionOptions, OpenBranch> begin,
      Runnable open) {
    this.branches = new BranchTable(engine, session, begin, open);
  }

  @Override
  public CanopyXaResource resource(TransactionOptions options) {
    branches.grid().checkPrepares();
    if (!options.snapshot().isEmpty()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "a branch of a global transaction reads the present");
    }
    return new BranchResource(branches, options);
  }

  @Override
  public List<PreparedTransaction> prepared() {
    return branches.grid().list();
  }

  @Override
  public boolean resolve(BranchId id, boolean commits) {
    return branches.ended(branches.grid().resolve(id, commits)) == Ending.DONE;
  }
}
