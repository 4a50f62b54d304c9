package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.function.FunctionCommit;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.wire.client.CommitId;

/**
 * The transaction of a function that another node or a client asked for. Its commit has the name of
 * the call, and its record has the result: so a call that is sent twice takes effect once, and both
 * have the same result. Confined to one thread at a time.
 */
final class FunctionTree implements FunctionCommit {
  private final TreeTransaction tree;
  private final CommitLedger ledger;
  private final CommitId name;
  private final FunctionRights rights;
  private byte[] result = new byte[0];

  FunctionTree(TreeTransaction tree, CommitLedger ledger, CommitId name, FunctionRights rights) {
    this.tree = tree;
    this.ledger = ledger;
    this.name = name;
    this.rights = rights;
  }

  @Override
  public void keep(byte[] value) {
    result = value;
  }

  @Override
  public byte[] kept() {
    return result;
  }

  @Override
  public String id() {
    return tree.id();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very object that allows all needs no guard
  public EngineView on(OpenIndex index) {
    EngineView view = tree.on(index);
    return rights == FunctionRights.ALL ? view : new GuardedView(view, index, rights);
  }

  @Override
  public boolean hasLostKey() {
    return tree.hasLostKey();
  }

  @Override
  public void queueAfter(EngineTransaction failed) {
    tree.queueAfter(failed instanceof FunctionTree before ? before.tree : failed);
  }

  @Override
  public void queueAt(OpenIndex index, byte[] key) {
    tree.queueAt(index, key);
  }

  @Override
  public void countCommit() {
    tree.countCommit();
  }

  @Override
  public VectorClock clock() {
    return tree.clock();
  }

  @Override
  public int remoteRequests() {
    return tree.remoteRequests();
  }

  @Override
  public int redirects() {
    return tree.redirects();
  }

  @Override
  public VectorClock commit() {
    VectorClock clock = tree.commit(ledger.record(name, result));
    return clock != null ? clock : settledBefore();
  }

  /** The call was sent twice, or somebody has asked what became of it. */
  private VectorClock settledBefore() {
    CommitLedger.Settled settled = ledger.lookUp(name);
    result = settled.result();
    return switch (settled.state()) {
      case COMMITTED -> settled.seen();
      case NOT_COMMITTED ->
          throw failed(ErrorCode.TIMEOUT, "who asked for the call has given it up", settled);
      case UNKNOWN ->
          throw failed(ErrorCode.COMMIT_UNKNOWN, "the cluster did not tell the outcome", settled);
    };
  }

  private CanopyException failed(ErrorCode code, String detail, CommitLedger.Settled settled) {
    return new CanopyException(code, detail, settled.state(), id(), null);
  }

  @Override
  public void end() {
    tree.end();
  }

  @Override
  public void cutOff(ErrorCode code, String why) {
    tree.cutOff(code, why);
  }
}
