package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The bank's clients of one node for a while. */
final class BankRun {
  private final Canopy db;
  private final Command command;
  private final Index<Long, Long> accounts;
  private final BankClient.Counts counts = new BankClient.Counts();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  BankRun(Canopy db, Command command) {
    this.db = db;
    this.command = command;
    this.accounts =
        db.index(
            command.text("index"),
            Codec.int64(),
            Codec.int64(),
            IndexOptions.DEFAULTS.withSubtreeEntriesMax(16));
  }

  /** Opens the first accounts. */
  Command open() {
    BankClient.open(db, accounts);
    return Command.of("ok");
  }

  /**
   * Starts the clients, which run until {@link #stop()}, or until they have done enough together.
   */
  void start() {
    long transactions = command.number("transactions");
    for (int i = 0; i < command.integer("clients"); i++) {
      Random random = new Random(command.number("seed") + i);
      BankClient client = new BankClient(db, accounts, random, counts);
      Thread thread =
          new Thread(() -> client.run(() -> stopped || counts.done() >= transactions), "bank-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  /** Waits until the clients have done enough; what they did. */
  Command await() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    return counts.report(Command.of("ok"));
  }

  /** Lets each client end its transaction; what they did. */
  Command stop() throws InterruptedException {
    stopped = true;
    return await();
  }

  /** All the money now; a node that is joining again is waited for. */
  Command total() throws InterruptedException {
    BankClient client = new BankClient(db, accounts, new Random(0), counts);
    long total = RetryAfterFaults.of(() -> db.read(client::sum));
    return Command.of("ok").with("total", total);
  }
}
