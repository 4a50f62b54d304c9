package io.canopygrid.btree.function;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.ledger.CommitLedger;
import io.canopygrid.btree.ledger.CommitOutcome;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.function.FunctionCommit;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.wire.CommitId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a function that another node or a client asked for. Its commit has the name of
 * the call, and the record of the commit keeps the result. So a call that is sent twice takes
 * effect once, and both answers are the same. Confined to one thread at a time.
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
  @SuppressWarnings("ReferenceEquality") // as for a view
  public byte @Nullable [] definitions(OpenIndex definitions, OpenIndex rows) {
    if (rights != FunctionRights.ALL) {
      rights.read(definitions);
    }
    return tree.definitions(definitions, rows);
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
  public List<String> indexNames() {
    return tree.indexNames();
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
    try {
      VectorClock clock = tree.commit(ledger.record(name, result));
      return clock != null ? clock : outcomeBefore();
    } finally {
      end();
    }
  }

  /** There was a record: the call was sent twice, or its outcome was looked up. */
  private VectorClock outcomeBefore() {
    CommitOutcome outcome = ledger.lookUp(name);
    result = outcome.result();
    return switch (outcome.state()) {
      case COMMITTED -> outcome.seen();
      case NOT_COMMITTED ->
          throw failed(ErrorCode.TIMEOUT, "the caller has given the call up", outcome);
      case UNKNOWN ->
          throw failed(ErrorCode.COMMIT_UNKNOWN, "the cluster did not tell the outcome", outcome);
    };
  }

  private CanopyException failed(ErrorCode code, String detail, CommitOutcome outcome) {
    return new CanopyException(code, detail, outcome.state(), id(), null);
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
