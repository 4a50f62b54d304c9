package io.canopygrid.client.server;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.PreparedTransactions;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.util.List;

/**
 * The prepared transactions of a cluster, which a client can look at and decide by hand. Nothing
 * can be prepared through a client. Thread-safe.
 */
public final class RemotePrepared implements PreparedTransactions {
  private final Questions questions;
  private final CurrentGrid grid;

  /** The prepared transactions of a cluster as one client knows it. */
  public RemotePrepared(ClusterView cluster) {
    this.questions = cluster.questions();
    this.grid = cluster.grid();
  }

  private static CanopyException refused() {
    return new CanopyException(
        ErrorCode.INVALID_ARGUMENT,
        "global transactions are for a node in the program's own JVM, not for a client of servers");
  }

  @Override
  public void checkPrepares() {
    throw refused();
  }

  @Override
  public Prepared prepare(EngineTransaction transaction, BranchId id, String label) {
    throw refused();
  }

  @Override
  public Decided commit(BranchId id) {
    throw refused();
  }

  @Override
  public Decided rollback(BranchId id) {
    throw refused();
  }

  @Override
  public boolean forget(BranchId id) {
    throw refused();
  }

  /** Asks again where the answer is lost: then a branch that was decided is UNKNOWN. */
  @Override
  public Decided resolve(BranchId id, boolean commits) {
    long count = ask(new Request.ResolvePrepared(id, commits), Reply.Count.class).count();
    return new Decided(count > 0 ? Ending.DONE : Ending.UNKNOWN, null);
  }

  @Override
  public List<PreparedTransaction> list() {
    return ask(new Request.ListPrepared(), Reply.Prepared.class).transactions();
  }

  private <R extends Reply> R ask(Request request, Class<R> wanted) {
    grid.tell();
    GridId in = grid.present().id();
    return questions.askWith(WireLimits.FEATURE_PREPARED, in, request, wanted, () -> {});
  }
}
