package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.Isolation;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A client: one transaction after the other, each at some node, with a causal token between. */
final class TreeClient {
  /** Far more than any transaction should need, in virtual time. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Of so many transactions one reads at backups, where a run has such. */
  private static final int NEAREST_ONE_IN = 2;

  /** Keeps that choice apart from others: seeds of runs without such reads stay what they are. */
  private static final int NEAREST = 2_000;

  private final SimulatedGrid grid;
  private final SeededRandom random;
  private final @Nullable SeededRandom nearest;
  private final TreeWorld world;
  private final TreeLog log;
  private final int session;
  private final int transactions;
  private CausalToken token = CausalToken.NONE;

  /** When the token was told. */
  private long toldAt;

  /** Whether a cut has taken what the token has seen, as the next transaction begins. */
  private boolean isLost;

  /** The attempt under way. */
  private @Nullable Attempt running;

  TreeClient(SimulatedGrid grid, TreeWorld world, TreeLog log, int session, TreeRun run) {
    this.grid = grid;
    this.random = grid.random(session);
    this.nearest = run.nearest() ? grid.random(NEAREST + session) : null;
    this.world = world;
    this.log = log;
    this.session = session;
    this.transactions = run.transactions();
  }

  /** The client's life. */
  void run() {
    for (int i = 0; i < transactions; i++) {
      grid.sleep(random.oneOf(1, 1, 5, 30));
      GmuNode node = grid.anyUsable(random);
      grid.use(node, () -> transaction(node));
    }
  }

  private void transaction(GmuNode node) {
    EmbeddedCanopy db = world.handle(node);
    Attempt.Kind kind = world.kind(random);
    TransactionOptions options =
        TransactionOptions.DEFAULTS
            .withTimeout(PATIENCE)
            .withMaxAttempts(random.oneOf(1, 3, 50))
            .withAfter(token)
            .withReadFrom(readFrom());
    grid.takeCommitted();
    isLost = grid.isCut(token.clock(), toldAt);
    try {
      if (kind == Attempt.Kind.UPDATE) {
        db.run(options, tx -> body(db, kind).update(tx));
      } else {
        boolean serial = kind == Attempt.Kind.SERIALIZABLE;
        db.read(
            serial ? options.withIsolation(Isolation.SERIALIZABLE) : options,
            tx -> {
              body(db, kind).read(tx);
              return tx;
            });
      }
      committed(db);
    } catch (CanopyException e) {
      failed(node, e);
    }
  }

  private ReadFrom readFrom() {
    return nearest != null && nearest.below(NEAREST_ONE_IN) == 0
        ? ReadFrom.NEAREST
        : TransactionOptions.DEFAULTS.readFrom();
  }

  /** Begins an attempt; the one before, if there was one, is known to have failed. */
  private TreeBody body(EmbeddedCanopy db, Attempt.Kind kind) {
    if (running != null) {
      log.end(running, Attempt.Status.ABORTED);
    }
    running = log.begin(session, kind);
    if (isLost) {
      grid.problem("session " + session + " goes on, and was not told of a loss: " + running);
    }
    return new TreeBody(grid, random, world, log, running, db);
  }

  private void committed(EmbeddedCanopy db) {
    Attempt attempt = running;
    if (attempt != null) {
      attempt.clock = grid.takeCommitted();
      log.end(attempt, Attempt.Status.COMMITTED);
    }
    running = null;
    token = db.token();
    toldAt = grid.now();
    world.tell(token);
  }

  private void failed(GmuNode node, CanopyException e) {
    Attempt attempt = running;
    if (attempt != null) {
      attempt.error = codeOf(e).name();
      log.end(
          attempt,
          e.commitState() == CommitState.NOT_COMMITTED
              ? Attempt.Status.ABORTED
              : Attempt.Status.UNKNOWN);
    }
    running = null;
    if (e.code() == ErrorCode.COMMITS_LOST) {
      grid.toldLost(token.clock());
      token = CausalToken.NONE;
    } else if (!isExpected(node, codeOf(e))) {
      grid.problem("liveness: session " + session + " " + attempt + ": " + e.getMessage());
    }
  }

  /** Of the last attempt, where several have failed. */
  private static ErrorCode codeOf(CanopyException e) {
    return e.code() == ErrorCode.RETRIES_EXHAUSTED && e.getCause() instanceof CanopyException last
        ? last.code()
        : e.code();
  }

  private boolean isExpected(GmuNode node, ErrorCode code) {
    return code == ErrorCode.WRITE_CONFLICT
        || code == ErrorCode.LOCK_TIMEOUT
        || !grid.usable().contains(node)
        || world.mayBeUnavailable(code);
  }
}
