package io.canopygrid.client.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.client.server.ClusterView;
import io.canopygrid.client.server.RemoteIndex;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.OpenIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One transaction at one server: its views, and how it ends. */
public final class RemoteTransaction implements EngineTransaction {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final Conversation conversation;

  /** In an unchangeable list: most transactions use one index. */
  private List<RemoteView> views = List.of();

  private boolean ended;

  /** A transaction that no server has heard of. */
  public RemoteTransaction(ClusterView cluster, Begin how) {
    String id = cluster.identity() + "-" + NUMBERS.incrementAndGet();
    this.conversation = new Conversation(cluster, id, how);
  }

  @Override
  public String id() {
    return conversation.id();
  }

  @Override
  public RemoteView on(OpenIndex index) {
    for (RemoteView view : views) {
      if (view.index() == index) {
        return view;
      }
    }
    RemoteIndex wanted = (RemoteIndex) index;
    conversation.require(wanted);
    RemoteView view = new RemoteView(conversation, wanted);
    conversation.uses(view.index());
    if (views.isEmpty()) {
      views = List.of(view);
    } else {
      List<RemoteView> more = new ArrayList<>(views);
      more.add(view);
      views = List.copyOf(more);
    }
    return view;
  }

  /** At a server of an older release it is a read as any. */
  @Override
  public byte @Nullable [] definitions(OpenIndex definitions, OpenIndex rows) {
    return on(definitions).definitions(on(rows));
  }

  @Override
  public void countCommit() {
    for (RemoteView view : views) {
      view.index().counters().committed();
    }
  }

  @Override
  public @Nullable GridId grid() {
    return conversation.how().grid();
  }

  @Override
  public VectorClock clock() {
    return conversation.clock();
  }

  @Override
  public String snapshot() {
    return conversation.link().snapshot();
  }

  @Override
  public List<String> indexNames() {
    return views.stream().map(view -> view.index().name()).sorted().toList();
  }

  @Override
  public int remoteRequests() {
    return conversation.remoteRequests();
  }

  @Override
  public int redirects() {
    return conversation.redirects();
  }

  @Override
  public VectorClock commit() {
    try {
      boolean writes = hasWrites();
      Link link = conversation.link();
      boolean validated = conversation.how().mode() == Mode.SERIALIZABLE && link.isBegun();
      if (!writes && !validated) {
        link.end();
        return clock();
      }
      conversation.checkUsable();
      if (Thread.currentThread().isInterrupted()) {
        throw conversation.failure(
            ErrorCode.INTERRUPTED, "the thread was interrupted before the commit", null);
      }
      conversation.saw(new RemoteCommit(conversation).run(conversation.pending(), writes));
      return clock();
    } catch (CanopyException e) {
      throw conversation.orCutOff(e);
    } finally {
      finish();
    }
  }

  private boolean hasWrites() {
    for (RemoteView view : views) {
      if (view.hasWrites()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void end() {
    if (!ended) {
      conversation.link().end();
      finish();
    }
  }

  private void finish() {
    ended = true;
    conversation.closeCursors();
  }

  @Override
  public void cutOff(ErrorCode code, String why) {
    conversation.cutOff(code, why);
  }
}
