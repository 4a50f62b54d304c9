package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to a server, which is lost at any moment: before a request is sent, before
 * it arrives, or before its answer comes. A request can also arrive long after the client has given
 * its connection up, as a server may have read it and be slow.
 */
final class LossyConnection {
  /** Between two looks whether an answer has come, in units of virtual time. */
  private static final int LOOK_EVERY = 5;

  /** The connection counts as lost when an answer takes so long: its server is gone. */
  private static final int ANSWER_MAX = 3_000;

  private final SimulatedGrid grid;
  private final GmuNode server;
  private final SeededRandom random;

  LossyConnection(SimulatedGrid grid, GmuNode server, SeededRandom random) {
    this.grid = grid;
    this.server = server;
    this.random = random;
  }

  /** The connection was lost before there was an answer. */
  static final class LostException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Whether the server may have got the request, or may get it yet. */
    final boolean sent;

    LostException(boolean sent) {
      super(sent ? "lost after the request" : "lost before the request", null, false, false);
      this.sent = sent;
    }
  }

  /** A request under way. */
  private static final class Asked<T> {
    /** The answer, whose value is taken, or whose error is thrown; null: none yet. */
    @Nullable Supplier<T> answer;
  }

  GmuNode server() {
    return server;
  }

  /**
   * Asks the server, and waits for the answer.
   *
   * @param serve does at the server what was asked for
   * @throws CanopyException the server's error
   */
  <T> T ask(Supplier<T> serve) throws LostException {
    int fate = random.below(16);
    if (fate == 0) {
      throw new LostException(false);
    }
    boolean arrives = fate != 1;
    boolean isAnswered = fate > 5;
    Asked<T> asked = new Asked<>();
    if (arrives) {
      long delay = isAnswered ? random.oneOf(0, 1, 5) : random.oneOf(0, 1, 30, 300);
      grid.client(
          "a request at " + server.self(),
          delay,
          () -> grid.use(server, () -> asked.answer = served(serve)));
    }
    int patience = isAnswered ? ANSWER_MAX : random.oneOf(0, 5, 40, 150);
    for (int waited = 0; waited < patience; waited += LOOK_EVERY) {
      Supplier<T> answer = asked.answer;
      if (isAnswered && answer != null) {
        return answer.get();
      }
      grid.sleep(LOOK_EVERY);
    }
    throw new LostException(true);
  }

  private static <T> Supplier<T> served(Supplier<T> serve) {
    try {
      T value = serve.get();
      return () -> value;
    } catch (CanopyException e) {
      return () -> {
        throw e;
      };
    }
  }
}
