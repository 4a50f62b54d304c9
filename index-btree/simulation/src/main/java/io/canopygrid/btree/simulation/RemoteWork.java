package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.ledger.CommitLedger;
import io.canopygrid.btree.ledger.CommitOutcome;
import io.canopygrid.btree.simulation.LossyConnection.LostException;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.CommitNames;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.SentCommit;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import io.canopygrid.wire.CommitId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients of servers, over connections that are lost at any moment. They go by the remote client's
 * rules: {@link SentCommit} says what to do without an answer, {@link CommitNames} names commits
 * and calls, and tells with the next one which names nobody will look up any more. A commit that
 * has not happened is tried again under another name.
 */
final class RemoteWork extends NamedWork {
  private static final int RANDOM = 3_700;
  private static final int WORKS_MAX = 5;

  /** Attempts of one commit or call. */
  private static final int TRIES_MAX = 4;

  /** Servers that are asked for one outcome. */
  private static final int LOOKS_MAX = 5;

  private static final String INDEX = "remote";

  private static final int CALL_ATTEMPTS_MAX = 5;

  private final AppendFunction function;
  private final SeededRandom pauses;
  private final int works;

  RemoteWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, new NamedClients(grid, world, ledgers, INDEX));
    this.pauses = grid.random(RANDOM - 1);
    this.function = new AppendFunction(grid, clients, "append-remotely", INDEX, pauses);
    this.works = Math.min(WORKS_MAX, run.transactions());
  }

  @Override
  public void onNode(GmuNode node, EmbeddedCanopy handle) {
    function.register(handle);
  }

  @Override
  public void start() {
    for (int i = 0; i < CLIENTS; i++) {
      Client client = new Client(i, grid.random(RANDOM + i));
      grid.client("remote client " + i, 4 + 3L * i, client::run);
    }
  }

  /** The end of an attempt, and who told it. */
  private record End(CommitState state, String by) {}

  /** A server's answer to what has happened. */
  private record Done(VectorClock seen, byte[] result) {}

  /** One client. */
  private final class Client {
    private final CommitNames names;
    private final SeededRandom random;

    Client(int session, SeededRandom random) {
      this.names = new CommitNames(clients.session(session));
      this.random = random;
    }

    void run() {
      for (int i = 0; i < works; i++) {
        grid.sleep(random.oneOf(1, 10, 60));
        Told told = clients.next(random, 2);
        boolean isCall = random.chance(0.5);
        // A commit that was preceded by reads is not sent elsewhere: its body runs again.
        boolean movable = isCall || random.chance(0.5);
        End end = new End(CommitState.NOT_COMMITTED, "nobody was asked");
        for (int tries = 0; tries < TRIES_MAX && end.state == CommitState.NOT_COMMITTED; tries++) {
          end = attempt(told, isCall, movable);
          grid.sleep(random.oneOf(1, 5, 20));
        }
        told.told(end.state, end.by);
      }
    }

    private End attempt(Told told, boolean isCall, boolean movable) {
      GmuNode node = clients.anyNode(random);
      LossyConnection connection = new LossyConnection(grid, node, random);
      CommitId name =
          names.next(
              clients.served(node).commits().millis(), random.below(node.shardMap().shards()));
      clients.named(told, name, node);
      SentCommit sent = new SentCommit(name, movable);
      List<CommitId> forget = names.forgettable();
      try {
        Done done = connection.ask(() -> serve(node, told, name, isCall, forget));
        names.answered(name);
        clients.forgotten(told);
        clients.saw(done.seen);
        clients.result(told, done.result);
        clients.count("answered");
        return new End(CommitState.COMMITTED, "the answer of " + node.self());
      } catch (LostException e) {
        clients.count("lost " + (e.sent ? "sent" : "unsent"));
        return go(sent.lost(e.sent, ErrorCode.NOT_CONNECTED), connection, sent, told, e.toString());
      } catch (CanopyException e) {
        clients.unexpected(node, e);
        SentCommit.Next next = sent.refused(e.code(), e.commitState());
        return next == SentCommit.Next.FAIL
            ? new End(e.commitState(), "the error of " + node.self() + ": " + e)
            : go(next, connection, sent.settled(), told, e.toString());
      }
    }

    private End go(
        SentCommit.Next next, LossyConnection lost, SentCommit sent, Told told, String why) {
      return switch (next) {
        case TAKE -> new End(CommitState.COMMITTED, why);
        case LOOK_UP -> resolved(lost, sent, told);
        case ELSEWHERE, FAIL -> new End(CommitState.NOT_COMMITTED, why);
      };
    }

    private End resolved(LossyConnection lost, SentCommit sent, Told told) {
      CommitOutcome outcome = find(lost.server().self(), sent.toLookUp());
      CommitState state = outcome == null ? CommitState.UNKNOWN : outcome.state();
      clients.count("looked up " + state);
      String by = "a look-up of " + sent.toLookUp();
      return switch (sent.found(state, ErrorCode.NOT_CONNECTED)) {
        case TAKE -> {
          if (outcome != null) {
            clients.saw(outcome.seen());
            clients.result(told, outcome.result());
          }
          yield new End(CommitState.COMMITTED, by);
        }
        case ELSEWHERE -> new End(CommitState.NOT_COMMITTED, by);
        case LOOK_UP, FAIL -> new End(state, by);
      };
    }

    /** Asks one server after the other, another than the lost one first; null: none could tell. */
    private @Nullable CommitOutcome find(NodeId lost, CommitId name) {
      for (int looks = 0; looks < LOOKS_MAX; looks++) {
        GmuNode node = clients.anyNode(random);
        if (looks == 0 && node.self().equals(lost)) {
          node = clients.anyNode(random);
        }
        CommitLedger records = clients.served(node).commits();
        try {
          CommitOutcome outcome =
              new LossyConnection(grid, node, random).ask(() -> records.lookUp(name));
          if (outcome.state() != CommitState.UNKNOWN) {
            return outcome;
          }
        } catch (LostException e) {
          clients.count("look-ups lost");
        } catch (CanopyException e) {
          clients.unexpected(node, e);
        }
        grid.sleep(random.oneOf(5, 50));
      }
      return null;
    }
  }

  /** Does what a client asks for, at the node that it asks. */
  private Done serve(
      GmuNode node, Told told, CommitId name, boolean isCall, List<CommitId> forget) {
    int millis = pauses.oneOf(20, 60, 2_000);
    if (isCall) {
      FunctionResult result = function.call(node, told, name, millis, CALL_ATTEMPTS_MAX, forget);
      return new Done(result.clock(), result.bytes());
    }
    clients.served(node).forgotten().forget(forget);
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    return new Done(clients.commit(node, told, name, pauses, nanos), new byte[0]);
  }
}
