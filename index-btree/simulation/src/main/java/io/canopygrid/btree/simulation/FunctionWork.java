package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import io.canopygrid.wire.CommitId;
import java.time.Duration;
import java.util.List;

/**
 * Clients that call a function, which runs at the node that has its key: through a node, which
 * sends it there, and under names of their own, in some cases twice. The function appends a number
 * to lists, and its result says how many were there before.
 */
final class FunctionWork extends NamedWork {
  private static final int RANDOM = 3_200;
  private static final int WORKS_MAX = 5;
  private static final int LOOKS_MAX = 4;
  private static final int TIMEOUT_MILLIS = 500;
  private static final int ENTRIES_MAX = 4;
  private static final String FUNCTION = "append";
  private static final String INDEX = "calls";

  private final TreeWorld world;
  private final AppendFunction function;
  private final int works;

  FunctionWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, new NamedClients(grid, world, ledgers, INDEX));
    this.world = world;
    this.function = new AppendFunction(grid, clients, FUNCTION, INDEX, grid.random(RANDOM - 1));
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
      grid.client("client of functions " + i, 4 + 4L * i, client::run);
    }
  }

  /** One client. */
  private final class Client {
    private final int session;
    private final SeededRandom random;

    Client(int session, SeededRandom random) {
      this.session = session;
      this.random = random;
    }

    void run() {
      for (int i = 0; i < works; i++) {
        grid.sleep(random.oneOf(1, 10, 60));
        if (random.chance(0.6)) {
          GmuNode node = clients.anyNode(random);
          Told told = clients.next(random, 2);
          grid.use(node, () -> call(node, told));
        } else {
          namedCall();
        }
      }
    }

    private void call(GmuNode node, Told told) {
      try {
        EmbeddedCanopy db = world.handle(node);
        Index<Long, String> index =
            db.index(INDEX, Codec.int64(), Codec.string(), new IndexOptions(ENTRIES_MAX));
        TransactionOptions options =
            TransactionOptions.DEFAULTS.withTimeout(
                Duration.ofMillis(random.oneOf(5, 50, 500, 2_000)));
        byte[] result =
            db.execute(
                options,
                FunctionCall.of(FUNCTION, AppendFunction.arguments(told))
                    .at(index, told.keys.get(0)));
        clients.result(told, result);
        clients.count("answered");
        told.told(CommitState.COMMITTED, "the call at " + node.self());
      } catch (CanopyException e) {
        clients.unexpected(node, e);
        told.told(e.commitState(), "the call at " + node.self() + ": " + e);
      } catch (RuntimeException e) {
        grid.problem("a call at " + node.self() + " ended by " + e);
      }
    }

    /** As a client of a server calls, which names its call itself. */
    private void namedCall() {
      Told told = clients.next(random, 2);
      CommitId name = clients.name(random, session, told, clients.anyNode(random));
      int copies = random.oneOf(1, 2, 2);
      boolean[] isOver = new boolean[copies];
      for (int i = 0; i < copies; i++) {
        int copy = i;
        grid.client(
            "call " + told.number,
            random.oneOf(0, 1, 30),
            () -> {
              GmuNode node = clients.anyNode(random);
              grid.use(node, () -> send(node, told, name, copies == 1));
              isOver[copy] = true;
            });
      }
      await(random.oneOf(0, 10, 60, 400), () -> isOver[0]);
      for (int looks = random.oneOf(0, 1, LOOKS_MAX); looks > 0; looks--) {
        if (clients.lookUp(clients.anyNode(random), told, name) != CommitState.UNKNOWN) {
          return;
        }
        grid.sleep(random.oneOf(5, 50));
      }
    }

    private void send(GmuNode node, Told told, CommitId name, boolean isAlone) {
      try {
        FunctionResult result =
            function.call(node, told, name, TIMEOUT_MILLIS, random.oneOf(1, 20), List.of());
        clients.saw(result.clock());
        clients.result(told, result.bytes());
        clients.count("answered by name");
        told.told(CommitState.COMMITTED, "the named call at " + node.self());
      } catch (CanopyException e) {
        clients.unexpected(node, e);
        if (isAlone || isVerdict(e)) {
          told.told(e.commitState(), "the named call at " + node.self() + ": " + e);
        }
      } catch (RuntimeException e) {
        grid.problem("a named call at " + node.self() + " ended by " + e);
      }
    }

    /** Whether an error is of the call under its name, and not of one of its copies. */
    private static boolean isVerdict(CanopyException e) {
      return e.code() == ErrorCode.INVALID_ARGUMENT;
    }
  }
}
