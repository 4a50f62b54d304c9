package io.canopygrid.xa;

import io.canopygrid.BranchId;
import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.PreparedTransactions;
import io.canopygrid.engine.PreparedTransactions.Decided;
import io.canopygrid.engine.PreparedTransactions.Ending;
import io.canopygrid.transaction.OpenBranch;
import io.canopygrid.transaction.Session;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The branches of one handle. It knows those that are not prepared; the grid knows the others.
 * Thread-safe.
 */
final class BranchTable {
  private final Engine engine;
  private final Session session;
  private final Function<TransactionOptions, OpenBranch> begin;
  private final Runnable open;
  private final Map<BranchId, Branch> branches = new ConcurrentHashMap<>();

  BranchTable(
      Engine engine,
      Session session,
      Function<TransactionOptions, OpenBranch> begin,
      Runnable open) {
    this.engine = engine;
    this.session = session;
    this.begin = begin;
    this.open = open;
  }

  /** The prepared transactions of the grid. */
  PreparedTransactions grid() {
    open.run();
    return engine.prepared();
  }

  /** Begins the transaction of a new branch; null: there is such a branch. */
  @Nullable Branch begin(BranchId id, TransactionOptions options) {
    open.run();
    if (branches.containsKey(id)) {
      return null;
    }
    Branch branch = new Branch(id, begin.apply(options));
    if (branches.putIfAbsent(id, branch) == null) {
      return branch;
    }
    branch.transaction().rollback();
    return null;
  }

  /** A branch that is not known to be prepared; null: there is none. */
  @Nullable Branch find(BranchId id) {
    return branches.get(id);
  }

  /** The branch has ended, or the grid knows it. */
  void remove(Branch branch) {
    branches.remove(branch.id(), branch);
  }

  /** The session has seen a decision. */
  Ending ended(Decided decided) {
    VectorClock clock = decided.clock();
    if (clock != null) {
      session.saw(clock);
    }
    return decided.ending();
  }
}
