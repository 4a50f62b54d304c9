package io.canopygrid.it.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The bank's clients of one node for a while: a command's execution. */
final class BankRun {
  private BankRun() {}

  /** Opens the first accounts if there are none, and runs so many transactions. */
  static Command run(Canopy db, Command command) throws InterruptedException {
    Index<Long, Long> accounts =
        db.index(
            "bank",
            Codec.int64(),
            Codec.int64(),
            IndexOptions.DEFAULTS.withArity(8).withSubtreeEntriesMax(16));
    if (command.integer("open") == 1) {
      BankClient.open(db, accounts);
    }
    BankClient.Counts counts = new BankClient.Counts();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < command.integer("clients"); i++) {
      Random random = new Random(command.number("seed") + i);
      BankClient client = new BankClient(db, accounts, random, counts);
      Thread thread = new Thread(() -> client.run(command.number("transactions")), "bank-" + i);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    BankClient reader = new BankClient(db, accounts, new Random(0), counts);
    return counts.report(Command.of("ok")).with("total", db.read(reader::sum));
  }
}
