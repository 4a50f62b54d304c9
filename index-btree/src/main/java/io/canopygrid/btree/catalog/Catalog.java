package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.balance.NewSubtrees;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.Backoff;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import io.canopygrid.transaction.Session;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The catalog of indexes in TOP, read and written in transactions of its own, of at most {@value
 * #TIMEOUT_MILLIS} ms. Thread-safe.
 */
public final class Catalog {
  private static final long TIMEOUT_MILLIS = 30_000;
  private static final int PAGE_ENTRIES = 1_000;

  /** The prefix of the names of the system's own indexes. */
  public static final String SYSTEM = "$";

  private static final String LABEL = "canopy.catalog";
  private static final Backoff CONFLICTS = new Backoff(1_000_000, 50_000_000);

  private final GmuNode node;
  private final NewSubtrees subtrees;
  private final Session session;

  /** The catalog as one node sees it. */
  public Catalog(GmuNode node, NewSubtrees subtrees, Session session) {
    this.node = node;
    this.subtrees = subtrees;
    this.session = session;
  }

  /** The properties of an index, for the case that it does not exist yet. */
  public record Wanted(String keyCodec, String valueCodec, int subtreeEntriesMax) {}

  /** The index of a name, created where there is none. */
  public CatalogEntry open(String name, Wanted wanted) {
    return in(transaction -> {
      ReadAnswer.Got found = get(transaction, CatalogEntry.key(name));
      return found.value() != null
          ? CatalogEntry.decode(found.value())
          : create(transaction, name, found.seen(), wanted);
    });
  }

  /** The names of all indexes of users, sorted. */
  public List<String> names() {
    return entries().keySet().stream().filter(name -> !isOfSystem(name)).toList();
  }

  /** The entries of all indexes, those of the system included, by name. */
  public SortedMap<String, CatalogEntry> entries() {
    return in(Catalog::entries);
  }

  /** The entries of a node's newest copy of the catalog, which may lag behind; by name. */
  public static SortedMap<String, CatalogEntry> copyIn(OrderedView<VersionChain> top) {
    SortedMap<String, CatalogEntry> entries = new TreeMap<>();
    OrderedCursor<VersionChain> cursor =
        top.ascending(ReservedKcl.CATALOG.key(CatalogEntry.firstName()).bytes());
    while (cursor.next()) {
      CompositeKey key = CompositeKey.ofBytes(cursor.key());
      if (!ReservedKcl.CATALOG.has(key)) {
        return entries;
      }
      byte[] value = cursor.value().value();
      if (value != null) {
        entries.put(CatalogEntry.name(key.ku()), CatalogEntry.decode(value));
      }
    }
    return entries;
  }

  /**
   * The entry of a user's index.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public CatalogEntry find(String name) {
    CatalogEntry entry = entries().get(name);
    if (entry == null || isOfSystem(name)) {
      throw new CanopyException(ErrorCode.UNKNOWN_INDEX, "there is no index '" + name + "'");
    }
    return entry;
  }

  /** Whether an index is one of the system's own, whose names no user can give. */
  public static boolean isOfSystem(String name) {
    return name.startsWith(SYSTEM);
  }

  /** Reads, or reads and writes; null: another transaction came between. */
  interface Body<T> {
    @Nullable T run(GmuTransaction transaction) throws TimeoutException;
  }

  /** Runs a body until it has a result. */
  <T> T in(Body<T> body) {
    long deadlineNanos = node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);

    for (int attempt = 1; ; attempt++) {
      GmuTransaction transaction = null;
      try {
        transaction = node.begin(session.clock(), deadlineNanos);
        T result = body.run(transaction);
        session.saw(transaction.clock());
        if (result != null) {
          return result;
        }
        if (Thread.currentThread().isInterrupted()) {
          throw new CanopyException(
              ErrorCode.INTERRUPTED, "the thread was interrupted while it waited for the catalog");
        }
      } catch (TimeoutException e) {
        throw Failures.timeout(null, e);
      } catch (RuntimeException e) {
        throw Failures.ofNode(e, null);
      } finally {
        if (transaction != null) {
          transaction.end();
        }
      }
      CONFLICTS.pause(attempt, deadlineNanos, node.threads());
    }
  }

  private static SortedMap<String, CatalogEntry> entries(GmuTransaction transaction)
      throws TimeoutException {
    SortedMap<String, CatalogEntry> entries = new TreeMap<>();
    byte[] from = CatalogEntry.firstName();
    while (true) {
      ReadAnswer answer =
          transaction.read(
              new ReadQuery.Scan(ReservedKcl.CATALOG.kcl(), from, null, false, PAGE_ENTRIES, true));
      if (!(answer instanceof ReadAnswer.Scanned page)) {
        throw Failures.unanswered(answer, null);
      }
      for (ReadAnswer.Entry entry : page.entries()) {
        byte[] value = entry.value();
        if (value != null) {
          entries.put(CatalogEntry.name(entry.ku()), CatalogEntry.decode(value));
        }
        from = KeyRange.successor(entry.ku());
      }
      if (page.complete()) {
        return entries;
      }
    }
  }

  private @Nullable CatalogEntry create(
      GmuTransaction transaction, String name, Seen absent, Wanted wanted) throws TimeoutException {
    ReadAnswer.Got newest = get(transaction, CatalogEntry.NUMBERS);
    int number = newest.value() == null ? 1 : ByteBuffer.wrap(newest.value()).getInt() + 1;
    long first = subtrees.first();
    CatalogEntry entry =
        new CatalogEntry(
            number, first, wanted.keyCodec(), wanted.valueCodec(), wanted.subtreeEntriesMax());
    CrownEntry crown = new CrownEntry(number, new byte[0], first, SubtreeHeader.NONE);
    SubtreeHeader header = SubtreeHeader.first(number, wanted.subtreeEntriesMax());
    byte[] counter = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    Footprint footprint =
        new Footprint(
            List.of(
                new KeyRead(CatalogEntry.key(name), absent),
                new KeyRead(CatalogEntry.NUMBERS, newest.seen()),
                new KeyRead(CompositeKey.header(first), Seen.ABSENT)),
            List.of(),
            List.of(
                new Write(CatalogEntry.key(name), entry.encode(), null),
                new Write(CatalogEntry.NUMBERS, counter, null),
                new Write(crown.key(), crown.value(), null),
                new Write(CompositeKey.header(first), header.encode(), null)));
    Outcome outcome = transaction.commit(footprint, LABEL);
    if (outcome instanceof Outcome.Committed committed) {
      session.saw(committed.clock());
      return entry;
    }
    if (outcome instanceof Outcome.Aborted aborted
        && aborted.reason() == Outcome.AbortReason.SHARD_UNAVAILABLE) {
      throw new CanopyException(
          ErrorCode.SHARD_UNAVAILABLE, "index '" + name + "' cannot be created");
    }
    // After a conflict, or an unknown outcome, the next attempt finds the index where there is one.
    return null;
  }

  static ReadAnswer.Got get(GmuTransaction transaction, CompositeKey key) throws TimeoutException {
    ReadAnswer answer = transaction.read(new ReadQuery.Get(key));
    if (answer instanceof ReadAnswer.Got got) {
      return got;
    }
    throw Failures.unanswered(answer, null);
  }
}
