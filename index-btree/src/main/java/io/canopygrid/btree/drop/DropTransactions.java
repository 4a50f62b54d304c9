package io.canopygrid.btree.drop;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that take a dropped index away, each small and valid by itself: any node may do
 * any of them at any time, and each does nothing where another node has done it. Thread-safe.
 */
final class DropTransactions {
  /** Names these transactions to others that wait for them. */
  private static final String LABEL = "canopy.drop";

  private static final Backoff CONFLICTS = new Backoff(1_000_000, 50_000_000);

  private final GmuNode node;
  private final DropLimits limits;

  DropTransactions(GmuNode node, DropLimits limits) {
    this.node = node;
    this.limits = limits;
  }

  /** One attempt; null: another transaction came between. */
  private interface Attempt<T> {
    @Nullable T run(GmuTransaction transaction) throws TimeoutException;
  }

  private <T> T repeat(Attempt<T> attempt) throws TimeoutException {
    long deadlineNanos =
        node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.timeoutMillis());
    for (int i = 1; i <= limits.attemptsMax(); i++) {
      GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
      try {
        T result = attempt.run(transaction);
        if (result != null) {
          return result;
        }
      } finally {
        transaction.end();
      }
      CONFLICTS.pause(i, deadlineNanos, node.threads());
    }
    throw new TimeoutException("other transactions came between each time");
  }

  /** Whether it is committed; after any other outcome the next attempt sees how things are. */
  private static boolean commit(
      GmuTransaction transaction, List<KeyRead> reads, List<RangeRead> ranges, List<Write> writes) {
    return transaction.commit(new Footprint(reads, ranges, writes), LABEL)
        instanceof Outcome.Committed;
  }

  /**
   * Marks subtrees of one shard: nobody can read or write there from then on, but in snapshots from
   * before.
   *
   * @return the right neighbours of all that are there, and where those have gone that are retired;
   *     all are of the same index
   */
  List<Long> mark(List<Long> kcls) throws TimeoutException {
    return repeat(transaction -> {
      List<ReadQuery> queries = new ArrayList<>();
      kcls.forEach(kcl -> queries.add(new ReadQuery.Get(CompositeKey.header(kcl))));
      List<ReadAnswer> answers = transaction.readAll(queries, query -> {});
      List<KeyRead> reads = new ArrayList<>();
      List<Write> writes = new ArrayList<>();
      List<Long> neighbours = new ArrayList<>();
      for (int i = 0; i < answers.size(); i++) {
        CompositeKey key = CompositeKey.header(kcls.get(i));
        ReadAnswer.Got got = got(answers.get(i));
        SubtreeHeader header = headerOf(got);
        if (header != null && header.isRetired() && !header.isDropped()) {
          neighbours.add(header.towardsBelow(null)); // it was moved or merged, perhaps just now
        }
        if (header != null && header.right() != SubtreeHeader.NONE) {
          neighbours.add(header.right());
        }
        if (header != null && !header.isRetired()) {
          reads.add(new KeyRead(key, got.seen()));
          writes.add(new Write(key, header.dropped().encode(), null));
        }
      }
      boolean done = writes.isEmpty() || commit(transaction, reads, List.of(), writes);
      return done ? neighbours : null;
    });
  }

  /**
   * Removes some entries of a subtree, which is marked before where it is not.
   *
   * @return whether there are no more
   */
  boolean empty(long kcl) throws TimeoutException {
    return repeat(transaction -> isEmptied(transaction, kcl));
  }

  private @Nullable Boolean isEmptied(GmuTransaction transaction, long kcl)
      throws TimeoutException {
    CompositeKey key = CompositeKey.header(kcl);
    ReadAnswer.Got got = got(transaction.read(new ReadQuery.Get(key)));
    SubtreeHeader header = headerOf(got);
    if (header == null || (header.isRetired() && !header.isDropped())) {
      return true;
    }
    KeyRead read = new KeyRead(key, got.seen());
    Write marked = new Write(key, header.dropped().encode(), null);
    if (!header.isDropped()) {
      return commit(transaction, List.of(read), List.of(), List.of(marked)) ? false : null;
    }
    ReadAnswer answer =
        transaction.read(
            new ReadQuery.Scan(kcl, EntryKeys.belowAll(), null, false, limits.entriesMax(), false));
    if (!(answer instanceof ReadAnswer.Scanned page)) {
      throw unavailable(answer);
    }
    List<Write> writes = new ArrayList<>();
    for (ReadAnswer.Entry entry : page.entries()) {
      // A page can have nothing but removed entries: without a mark the next page has them again.
      if (!entry.seen().tombstone() || !page.complete()) {
        writes.add(new Write(CompositeKey.of(kcl, entry.ku()), null, TxId.NOBODY));
      }
    }
    if (writes.isEmpty()) {
      return true;
    }
    writes.add(marked); // a transaction that writes a header is not checked against it
    return commit(transaction, List.of(read), List.of(), writes) ? page.complete() : null;
  }

  /** Removes the header of an empty subtree, and the crown's entry that leads there. */
  void remove(CrownEntry entry) throws TimeoutException {
    repeat(transaction -> {
      CompositeKey headerKey = CompositeKey.header(entry.kcl());
      ReadAnswer.Got header = got(transaction.read(new ReadQuery.Get(headerKey)));
      ReadAnswer.Got crown = got(transaction.read(new ReadQuery.Get(entry.key())));
      SubtreeHeader decoded = headerOf(header);
      byte[] leads = crown.value();
      if (decoded == null
          || !decoded.isDropped()
          || leads == null
          || CrownEntry.decode(entry.key().ku(), leads).kcl() != entry.kcl()) {
        return true;
      }
      List<KeyRead> reads =
          List.of(new KeyRead(headerKey, header.seen()), new KeyRead(entry.key(), crown.seen()));
      List<Write> writes =
          List.of(new Write(headerKey, null, null), new Write(entry.key(), null, TxId.NOBODY));
      return commit(transaction, reads, List.of(), writes) ? true : null;
    });
  }

  /** Removes the note of a drop, where the crown has nothing of the index any more. */
  void forget(DropEntry drop) throws TimeoutException {
    byte[] from = CrownEntry.ku(drop.index().number(), new byte[0]);
    byte[] to = CrownEntry.ku(drop.index().number() + 1, new byte[0]);
    long kcl = ReservedKcl.CROWN.kcl();
    repeat(transaction -> {
      ReadAnswer.Got note = got(transaction.read(new ReadQuery.Get(drop.key())));
      ReadAnswer answer =
          transaction.read(new ReadQuery.Scan(kcl, from, to, false, limits.entriesMax(), false));
      if (!(answer instanceof ReadAnswer.Scanned page)) {
        throw unavailable(answer);
      }
      boolean empty =
          page.complete() && page.entries().stream().allMatch(entry -> entry.seen().tombstone());
      if (note.value() == null || !empty) {
        return true;
      }
      List<KeyRead> found =
          page.entries().stream()
              .map(entry -> new KeyRead(ReservedKcl.CROWN.key(entry.ku()), entry.seen()))
              .toList();
      return commit(
              transaction,
              List.of(new KeyRead(drop.key(), note.seen())),
              List.of(new RangeRead(kcl, from, to, found)),
              List.of(new Write(drop.key(), null, null)))
          ? true
          : null;
    });
  }

  private static ReadAnswer.Got got(ReadAnswer answer) throws TimeoutException {
    if (answer instanceof ReadAnswer.Got got) {
      return got;
    }
    throw unavailable(answer);
  }

  private static @Nullable SubtreeHeader headerOf(ReadAnswer.Got got) {
    byte[] value = got.value();
    return value == null ? null : SubtreeHeader.decode(value);
  }

  private static TimeoutException unavailable(ReadAnswer answer) {
    return new TimeoutException(
        "what is left of a dropped index cannot be read: " + answer.getClass().getSimpleName());
  }
}
