package io.canopygrid.ycsb.demo;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import java.util.List;
import java.util.Random;

/**
 * A bank whose accounts are on a B+tree. The sum of all balances is always the same, as a transfer
 * takes from one account what it gives to another. Thread-safe.
 */
final class Bank {
  private static final String INDEX = "bank";
  private static final long OPENING_BALANCE = 1_000;
  private static final int TRANSFER_MAX = 100;
  private static final int OPEN_TOGETHER = 100;

  /** Small subtrees, so that a few thousand accounts are spread over all nodes. */
  private static final int SUBTREE_ENTRIES_MAX = 128;

  private static final TransactionOptions TRANSFER = TransactionOptions.labelled("transfer");
  private static final TransactionOptions AUDIT = TransactionOptions.labelled("audit");

  private final Canopy canopy;
  private final int accounts;
  private final Index<Long, Long> balances;

  Bank(Canopy canopy, int accounts) {
    this.canopy = canopy;
    this.accounts = accounts;
    this.balances =
        canopy.index(
            INDEX,
            Codec.int64(),
            Codec.int64(),
            IndexOptions.DEFAULTS.withSubtreeEntriesMax(SUBTREE_ENTRIES_MAX));
  }

  /** Opens the next accounts in one transaction; returns how many are open after that. */
  int open(int already) {
    int upTo = Math.min(accounts, already + OPEN_TOGETHER);
    canopy.run(tx -> {
      MutableView<Long, Long> view = tx.on(balances);
      for (long account = already; account < upTo; account++) {
        view.put(account, OPENING_BALANCE);
      }
    });
    return upTo;
  }

  /** Moves a random amount between two random accounts, or nothing if the first has too little. */
  void transfer(Random random) {
    long from = random.nextInt(accounts);
    long to = (from + 1 + random.nextInt(accounts - 1)) % accounts;
    long amount = 1L + random.nextInt(TRANSFER_MAX);
    canopy.run(
        TRANSFER,
        tx -> {
          MutableView<Long, Long> view = tx.on(balances);
          Long balance = view.get(from);
          if (balance != null && balance >= amount) {
            view.put(from, balance - amount);
            view.compute(to, (account, old) -> (old == null ? 0 : old) + amount);
          }
        });
  }

  /** Reads all accounts in one snapshot. */
  Audit audit() {
    return canopy.read(
        AUDIT,
        tx -> {
          long count = 0;
          long sum = 0;
          long last = -1;
          boolean ordered = true;
          try (Cursor<Long, Long> all = tx.on(balances).scan()) {
            for (var entry : all) {
              ordered &= entry.getKey() > last;
              last = entry.getKey();
              count++;
              sum += entry.getValue();
            }
          }
          return new Audit(count, sum, ordered);
        });
  }

  /** The balances of all accounts in their order, in one snapshot. */
  List<Long> balances() {
    return canopy.read(AUDIT, tx -> tx.on(balances).scan(Range.all()).values().toList());
  }

  /** The result that every audit must have. */
  Audit expected() {
    return new Audit(accounts, accounts * OPENING_BALANCE, true);
  }

  /**
   * The result of a full scan of one snapshot.
   *
   * @param accounts how many accounts it found
   * @param sum the sum of their balances
   * @param ordered whether the accounts came in ascending order
   */
  record Audit(long accounts, long sum, boolean ordered) {}
}
