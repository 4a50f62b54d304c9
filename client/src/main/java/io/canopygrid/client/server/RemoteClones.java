package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CloneSource;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.IndexClone;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.engine.FlattenStep;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.util.List;

/**
 * The clones of a cluster. All methods throw {@link ErrorCode#PROTOCOL_ERROR} where a server is of
 * an older release. Thread-safe.
 */
public final class RemoteClones {
  private final Questions questions;
  private final CurrentGrid grid;

  /** The clones of a cluster as one client knows it. */
  public RemoteClones(ClusterView cluster) {
    this.questions = cluster.questions();
    this.grid = cluster.grid();
  }

  /**
   * Makes a clone. Asks once: where the answer is lost there may be a clone or not, or there will
   * be one.
   *
   * @throws CanopyException with state UNKNOWN where no server has told what became of it
   */
  public IndexClone make(String name, CloneSource source) {
    Request request = new Request.MakeClone(name, source.index(), source.snapshot());
    try {
      return questions
          .askAt("", WireLimits.FEATURE_CLONES, request, Reply.Clones.class)
          .clones()
          .get(0);
    } catch (CanopyException e) {
      boolean unanswered =
          e.code() == ErrorCode.TIMEOUT
              || e.code() == ErrorCode.INTERRUPTED
              || e.getCause() instanceof LostConnectionException;
      throw unanswered
          ? new CanopyException(e.code(), e.detail(), CommitState.UNKNOWN, null, e)
          : e;
    }
  }

  /** All clones, by name. */
  public List<IndexClone> list() {
    return ask(new Request.ListClones(), Reply.Clones.class).clones();
  }

  /** Copies a part, as of {@link io.canopygrid.engine.Engine#flatten}; again where it is lost. */
  public FlattenStep flatten(String name, int number) {
    Request request = new Request.FlattenClone(name, number);
    Reply.Flattened done = ask(request, Reply.Flattened.class);
    return new FlattenStep(done.number(), done.copied(), done.isLast());
  }

  private <R extends Reply> R ask(Request request, Class<R> wanted) {
    grid.tell();
    GridId in = grid.present().id();
    return questions.askWith(WireLimits.FEATURE_CLONES, in, request, wanted, () -> {});
  }
}
