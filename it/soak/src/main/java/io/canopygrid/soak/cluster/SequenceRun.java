package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadTransaction;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A writer at a node that numbers its transactions, for what is left of them after a power cut.
 * Each transaction moves money in the bank, adds the row of its number, which says how far another
 * writer had come, and says how far this one has come. When it has committed, the writer notes in a
 * file: the number, when that was, and the handle's token.
 */
final class SequenceRun {
  private static final long WIDTH = 1L << 40;
  private static final long PAUSE_NANOS = 20_000_000;
  private static final TransactionOptions OPTIONS =
      TransactionOptions.labelled("sequence")
          .withTimeout(HistoryClient.TIMEOUT)
          .withMaxAttempts(1_000);

  private final Canopy db;
  private final Command command;
  private final Index<Long, Long> accounts;

  /** By writer and number a row; with number 0 the highest number of the writer. */
  private final Index<Long, long[]> rows;

  private final BankClient bank;
  private final Random random;

  /**
   * The command has the index, and how many writers there are; to start, what one of them needs.
   */
  SequenceRun(Canopy db, Command command) {
    this.db = db;
    this.command = command;
    String index = command.text("index");
    IndexOptions options = IndexOptions.DEFAULTS.withSubtreeEntriesMax(16);
    accounts = db.index(index + ".bank", Codec.int64(), Codec.int64(), options);
    rows = db.index(index, Codec.int64(), LongsCodec.INSTANCE, options);
    random = new Random(command.has("seed") ? command.number("seed") : 0);
    bank = new BankClient(db, accounts, random, new BankClient.Counts());
  }

  /** Opens the accounts, and lets each writer stand at 0. */
  Command open() {
    BankClient.open(db, accounts);
    for (long i = 0; i < command.integer("writers"); i++) {
      long writer = i;
      db.run(OPTIONS, tx -> tx.on(rows).insert(writer * WIDTH, new long[] {0}));
    }
    return Command.of("ok");
  }

  /** Starts the writer, which ends with the process. */
  Command start() throws IOException {
    PrintWriter told = new PrintWriter(Files.newBufferedWriter(Path.of(command.text("told"))));
    Thread thread = new Thread(() -> run(told), "sequence");
    thread.setDaemon(true);
    thread.start();
    return Command.of("ok");
  }

  private void run(PrintWriter told) {
    while (true) {
      try {
        long number = db.<Long, RuntimeException>call(OPTIONS, this::write);
        told.println(number + " " + System.nanoTime() + " " + db.token());
        told.flush();
      } catch (CanopyException e) {
        System.err.println("a transaction of the sequence failed: " + e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private long write(Transaction tx) {
    bank.transfer(tx);
    MutableView<Long, long[]> view = tx.on(rows);
    long first = command.number("writer") * WIDTH;
    long number = standing(view, first) + 1;
    int other = random.nextInt(command.integer("writers"));
    view.put(first, new long[] {number});
    view.insert(
        first + number, new long[] {command.number("round"), other, standing(view, other * WIDTH)});
    return number;
  }

  private static long standing(MutableView<Long, long[]> view, long key) {
    long[] number = view.get(key);
    if (number == null) {
      throw new IllegalStateException("a writer stands nowhere: " + key / WIDTH);
    }
    return number[0];
  }

  /** Says how far each writer has come, and what is wrong with that, in one snapshot. */
  Command look() throws InterruptedException {
    return RetryAfterFaults.of(() -> db.read(OPTIONS, this::look));
  }

  private Command look(ReadTransaction tx) {
    int writers = command.integer("writers");
    long[] standing = new long[writers];
    long[] count = new long[writers];
    long[] seen = new long[writers];
    long[] round = new long[writers];
    StringBuilder wrong = new StringBuilder("-");
    try (Cursor<Long, long[]> cursor = tx.on(rows).scan(Range.all())) {
      for (Map.Entry<Long, long[]> entry : cursor) {
        int writer = (int) (entry.getKey() / WIDTH);
        long number = entry.getKey() % WIDTH;
        long[] row = entry.getValue();
        if (number == 0) {
          standing[writer] = row[0];
        } else {
          if (number != ++count[writer] || row[0] < round[writer]) {
            wrong.append("row ").append(number).append(" of ").append(writer).append("; ");
          }
          round[writer] = row[0];
          seen[(int) row[1]] = Math.max(seen[(int) row[1]], row[2]);
        }
      }
    }
    Command report = Command.of("ok");
    for (int i = 0; i < writers; i++) {
      report = report.with("w" + i, standing[i]);
      if (count[i] != standing[i] || seen[i] > standing[i]) {
        wrong.append(i + " stands at " + standing[i] + " of " + count[i] + ", seen " + seen[i]);
      }
    }
    long sum = bank.sum(tx);
    if (sum != BankClient.TOTAL) {
      wrong.append("sum ").append(sum);
    }
    return report.with("wrong", wrong);
  }

  /** Whether a transaction after a token is refused, as commits are lost. */
  Command after() throws InterruptedException {
    TransactionOptions options = OPTIONS.withAfter(CausalToken.parse(command.text("token")));
    return RetryAfterFaults.of(() -> {
      try {
        db.<Boolean, RuntimeException>read(options, tx -> tx.on(rows).containsKey(0L));
        return Command.of("ok").with("lost", false);
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.COMMITS_LOST) {
          throw e;
        }
        return Command.of("ok").with("lost", true).with("why", String.valueOf(e.getMessage()));
      }
    });
  }
}
