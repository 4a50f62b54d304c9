package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.spi.LostCallException;
import io.canopygrid.gmu.spi.NodeCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The questions of one simulated node to others, over the run's network. A question or an answer
 * that the network loses breaks the connection: the asker hears at some time that no answer will
 * come. So it does where the other node dies.
 */
final class TaskCalls implements NodeCalls {
  private final SimulatedWorld world;
  private final Tasks tasks;
  private final SimulatedNode node;
  private final Function<NodeId, TaskCalls> others;

  /** The answers that this node waits for, and those that it owes. */
  private final List<Reply> open = new ArrayList<>();

  private final List<Reply> owed = new ArrayList<>();
  private @Nullable Server server;

  TaskCalls(
      SimulatedWorld world, Tasks tasks, SimulatedNode node, Function<NodeId, TaskCalls> others) {
    this.world = world;
    this.tasks = tasks;
    this.node = node;
    this.others = others;
  }

  @Override
  public CompletableFuture<byte[]> ask(NodeId to, byte[] question) {
    Reply reply = new Reply(to);
    TaskCalls other = others.apply(to);
    if (node.dead || other.node.dead || loses(other.node)) {
      reply.lostLater();
    } else {
      open.add(reply);
      other.owed.add(reply);
      world.counters.add("questions", 1);
      world.after(
          world.network.delay(node.id, to, world.now()), () -> other.heard(this, question, reply));
    }
    return reply;
  }

  private boolean loses(SimulatedNode other) {
    return world.network.loses(node.id, other.id, world.now(), world.now() > world.faultsEnd);
  }

  private void heard(TaskCalls from, byte[] question, Reply reply) {
    if (node.isPaused(world.now())) {
      world.after(node.pausedUntil - world.now(), () -> heard(from, question, reply));
      return;
    }
    Server answering = server;
    if (node.dead || answering == null) {
      reply.lostLater();
    } else {
      answering.asked(question, answer -> answered(from, answer, reply));
    }
  }

  private void answered(TaskCalls to, byte[] answer, Reply reply) {
    owed.remove(reply);
    if (node.dead || loses(to.node)) {
      reply.lostLater();
    } else {
      world.after(
          world.network.delay(node.id, to.node.id, world.now()), () -> reply.complete(answer));
    }
  }

  @Override
  public void serve(Server answering) {
    server = answering;
  }

  /** Nobody hears of what was asked here, and of what this node has asked. */
  void onDeath() {
    List.copyOf(owed).forEach(Reply::lostLater);
    List.copyOf(open).forEach(Reply::lost);
    owed.clear();
    open.clear();
  }

  /** An answer that a task can wait for in virtual time. */
  private final class Reply extends CompletableFuture<byte[]> {
    private final TaskCell<Boolean> over = new TaskCell<>(tasks, world.events);
    private final NodeId to;

    Reply(NodeId to) {
      this.to = to;
    }

    void lostLater() {
      world.after(world.random.oneOf(1, 10, 60), this::lost);
    }

    void lost() {
      open.remove(this);
      if (completeExceptionally(new LostCallException(to + " is lost"))) {
        world.counters.add("questions lost", 1);
        over.complete(true);
      }
    }

    @Override
    public boolean complete(byte[] answer) {
      open.remove(this);
      boolean first = super.complete(answer);
      over.complete(true);
      return first;
    }

    @Override
    public byte[] get(long timeout, TimeUnit unit)
        throws ExecutionException, InterruptedException, TimeoutException {
      if (!isDone()) {
        over.await(world.now() + TaskThreads.units(unit.toNanos(timeout)));
      }
      if (!isDone()) {
        throw new TimeoutException("no answer from " + to);
      }
      return get();
    }
  }
}
