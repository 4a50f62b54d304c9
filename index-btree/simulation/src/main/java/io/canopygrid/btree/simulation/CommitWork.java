package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import io.canopygrid.wire.CommitId;
import org.jspecify.annotations.Nullable;

/**
 * Clients whose commits have names, as those of a server's clients. A client sends a commit, in
 * some cases twice, and often does not hear the answer; it looks the outcome up at any node, and
 * tries again under another name what has not happened.
 */
final class CommitWork extends NamedWork {
  private static final int RANDOM = 3_100;
  private static final int WORKS_MAX = 4;
  private static final int TRIES_MAX = 3;
  private static final int LOOKS_MAX = 4;

  private final int works;

  CommitWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, new NamedClients(grid, world, ledgers, "commits"));
    this.works = Math.min(WORKS_MAX, run.transactions());
  }

  @Override
  public void onNode(GmuNode node, EmbeddedCanopy handle) {}

  @Override
  public void start() {
    for (int i = 0; i < CLIENTS; i++) {
      Client client = new Client(i, grid.random(RANDOM + i));
      grid.client("client of commits " + i, 3 + 4L * i, client::run);
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
        for (int tries = 0; tries < TRIES_MAX; tries++) {
          if (attempt() != CommitState.NOT_COMMITTED) {
            break;
          }
        }
      }
    }

    private CommitState attempt() {
      Told told = clients.next(random, 3);
      CommitId name = clients.name(random, session, told, clients.anyNode(random));
      int copies = random.oneOf(1, 1, 2);
      Sending sending = new Sending(told, name, copies == 1);
      for (int i = 0; i < copies; i++) {
        grid.client("commit " + told.number, random.oneOf(0, 1, 30), () -> send(sending));
      }
      await(random.oneOf(0, 10, 60, 400), () -> sending.state != null);
      CommitState state = sending.state;
      if (state != null && state != CommitState.UNKNOWN && copies == 1) {
        return state;
      }
      for (int looks = 0; looks < LOOKS_MAX; looks++) {
        state = clients.lookUp(clients.anyNode(random), told, name);
        if (state != CommitState.UNKNOWN) {
          return state;
        }
        grid.sleep(random.oneOf(5, 50));
      }
      return CommitState.UNKNOWN;
    }

    private void send(Sending sending) {
      GmuNode node = clients.anyNode(random);
      grid.use(node, () -> sending.state = sent(node, sending));
    }

    private CommitState sent(GmuNode node, Sending sending) {
      Told told = sending.told;
      try {
        VectorClock clock = clients.commit(node, told, sending.name, random);
        clients.saw(clock);
        clients.count("committed");
        told.told(CommitState.COMMITTED, "the commit at " + node.self());
        told.committed(clock, grid.now());
        return CommitState.COMMITTED;
      } catch (CanopyException e) {
        clients.unexpected(node, e);
        if (sending.isAlone) {
          told.told(e.commitState(), "the commit at " + node.self() + ": " + e);
        }
        return e.commitState();
      }
    }
  }

  /** A commit under way. */
  private static final class Sending {
    final Told told;
    final CommitId name;

    /** Sent once: an error says what became of it. */
    final boolean isAlone;

    /** The state that its sender was told; null: none yet. */
    @Nullable CommitState state;

    Sending(Told told, CommitId name, boolean isAlone) {
      this.told = told;
      this.name = name;
      this.isAlone = isAlone;
    }
  }
}
