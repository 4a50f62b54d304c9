package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.balance.NewSubtrees;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.ClonePin;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.btree.crown.IndexNumbers;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
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
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.CommitsLostException;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import io.canopygrid.transaction.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final RowMarks marks;
  private final FormerIndexes former;

  /** The catalog as one node sees it. */
  public Catalog(GmuNode node, NewSubtrees subtrees, Session session) {
    this.node = node;
    this.subtrees = subtrees;
    this.session = session;
    this.marks = new RowMarks(node);
    this.former = new FormerIndexes(node);
  }

  /** The properties of an index, for the case that it does not exist yet. */
  public record Wanted(String keyCodec, String valueCodec, int subtreeEntriesMax) {
    CatalogEntry entry(int number, long firstSubtree) {
      return new CatalogEntry(number, firstSubtree, keyCodec, valueCodec, subtreeEntriesMax);
    }
  }

  /**
   * The index of a name, created where there is none. Before the entries of a table's index are
   * created, all writers of the table's rows have to know it ({@link RowMarks}).
   */
  public CatalogEntry open(String name, Wanted wanted) {
    return in(new Opening(name, wanted));
  }

  /** The opening of one index, which remembers its earlier attempts. Confined to one thread. */
  private final class Opening implements Body<CatalogEntry> {
    private final String name;
    private final Wanted wanted;
    private final @Nullable BuildingEntries building;

    /** The rows whose writers have to know the index by now; 0: none. */
    private int marked;

    Opening(String name, Wanted wanted) {
      this.name = name;
      this.wanted = wanted;
      this.building = BuildingEntries.of(name, wanted.keyCodec());
    }

    @Override
    public @Nullable CatalogEntry run(GmuTransaction transaction) throws TimeoutException {
      ReadAnswer.Got found = get(transaction, CatalogEntry.key(name));
      if (found.value() != null) {
        return CatalogEntry.decode(found.value());
      }
      if (!isFree(transaction, name)) {
        return null; // the snapshot is old by now
      }
      List<KeyRead> reads = new ArrayList<>();
      reads.add(new KeyRead(CatalogEntry.key(name), found.seen()));
      return building == null || mayCreate(transaction, building, reads)
          ? create(transaction, name, reads, wanted::entry)
          : null;
    }

    /** False: something came between. */
    private boolean mayCreate(
        GmuTransaction transaction, BuildingEntries entries, List<KeyRead> reads)
        throws TimeoutException {
      BuildingEntries.Checked checked = entries.check(transaction);
      if (checked == null) {
        return false;
      }
      if (!checked.isBuilding()) {
        throw new CanopyException(
            ErrorCode.UNKNOWN_INDEX, "index '" + name + "' is not being built, or was dropped");
      }
      if (marked != checked.rows()) {
        marks.require(checked.rows(), entries.number());
        marked = checked.rows();
        return false; // the snapshot is old by now
      }
      reads.addAll(checked.reads());
      return true;
    }
  }

  /**
   * The index of a name; where there is none, the last one that had it and was dropped, as long as
   * a snapshot in use may have it.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public CatalogEntry findAlsoDropped(String name) {
    return in(transaction -> {
      byte[] value = get(transaction, CatalogEntry.key(name)).value();
      if (value != null) {
        return CatalogEntry.decode(value);
      }
      CatalogEntry newest = null;
      for (DropEntry drop : drops(transaction, DropEntry.prefix(name), DropEntry.end(name))) {
        if (newest == null || drop.index().number() > newest.number()) {
          newest = drop.index();
        }
      }
      if (newest == null) {
        throw unknown(name);
      }
      return newest;
    });
  }

  /**
   * Whether an index is not the one of its name any more, by this node's copy of the catalog, which
   * may lag behind.
   *
   * @param cuts how many there were ({@link #cuts}) when the index was known to be there
   */
  public boolean isGone(String name, int number, int cuts) {
    OrderedView<VersionChain> top = node.top();
    byte[] here = valueIn(top, CatalogEntry.key(name));
    if (here != null) {
      return CatalogEntry.numberOf(here) != number;
    }
    byte[] newest = valueIn(top, CatalogEntry.NUMBERS);
    // Without the number the copy has not heard of the index yet, or a power cut has taken it.
    return cuts != node.cuts() || (newest != null && IndexNumbers.decode(newest).last() >= number);
  }

  /** The number of times that a power cut has taken the last entries of the catalog. */
  int cuts() {
    return node.cuts();
  }

  /** A commit of the catalog's. */
  void saw(VectorClock clock) {
    session.saw(clock);
  }

  private static byte @Nullable [] valueIn(OrderedView<VersionChain> top, CompositeKey key) {
    VersionChain chain = top.get(key.bytes());
    return chain == null ? null : chain.value();
  }

  /** The numbers of the indexes that this node knows as dropped, and not long ago. */
  public Map<Integer, DropEntry> dropped() {
    Map<Integer, DropEntry> drops = new HashMap<>();
    DropEntry.all(node.top())
        .forEach(known -> drops.put(known.drop().index().number(), known.drop()));
    return drops;
  }

  /** Whether this node knows an index as dropped, and not long ago. */
  boolean isDropped(String name, int number) {
    return DropEntry.has(node.top(), name, number);
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
      throw unknown(name);
    }
    return entry;
  }

  /**
   * The entry of a user's index that must not have been dropped.
   *
   * @param number of the index; 0: whichever has the name
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public CatalogEntry ofNumber(String name, int number) {
    byte[] value = in(transaction -> get(transaction, CatalogEntry.key(name))).value();
    if (value == null || isOfSystem(name)) {
      throw unknown(name);
    }
    CatalogEntry entry = CatalogEntry.decode(value);
    if (number != 0 && entry.number() != number) {
      throw new CanopyException(
          ErrorCode.UNKNOWN_INDEX, "index '" + name + "' was dropped, and made again");
    }
    return entry;
  }

  private static CanopyException unknown(String name) {
    return new CanopyException(ErrorCode.UNKNOWN_INDEX, "there is no index '" + name + "'");
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
        transaction = begin(deadlineNanos);
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

  /**
   * Begins after all that the handle has seen and that is there. The catalog is used for the
   * clients of a server, too, which have seen other things: that a power cut took some of it is
   * told to the handle's next transaction, not here.
   */
  private GmuTransaction begin(long deadlineNanos) {
    VectorClock clock = session.clock();
    try {
      return node.begin(clock, deadlineNanos);
    } catch (CommitsLostException e) {
      session.isLost(clock);
      return node.begin(clock.above(e.upTo()), deadlineNanos);
    }
  }

  private static SortedMap<String, CatalogEntry> entries(GmuTransaction transaction)
      throws TimeoutException {
    SortedMap<String, CatalogEntry> entries = new TreeMap<>();
    range(transaction, ReservedKcl.CATALOG, CatalogEntry.firstName(), null)
        .live()
        .forEach(entry ->
            entries.put(CatalogEntry.name(entry.ku()), CatalogEntry.decode(entry.value())));
    return entries;
  }

  /** Whether nobody can write any more into an index that had the name before. */
  boolean isFree(GmuTransaction transaction, String name) throws TimeoutException {
    return former.areMarked(transaction, formerSubtrees(transaction, name));
  }

  /** The entry of a new index. */
  interface NewEntry {
    CatalogEntry of(int number, long firstSubtree);
  }

  /**
   * Creates an index; null: another transaction came between, or the outcome is not known.
   *
   * @param checked what the commit validates besides
   */
  @Nullable CatalogEntry create(
      GmuTransaction transaction, String name, List<KeyRead> checked, NewEntry wanted)
      throws TimeoutException {
    ReadAnswer.Got newest = get(transaction, CatalogEntry.NUMBERS);
    IndexNumbers numbers = IndexNumbers.after(newest.value(), node.cuts());
    int number = numbers.last();
    long first = subtrees.first();
    CatalogEntry entry = wanted.of(number, first);
    CrownEntry crown = new CrownEntry(number, new byte[0], first, SubtreeHeader.NONE);
    SubtreeHeader header = SubtreeHeader.first(number, entry.subtreeEntriesMax());
    List<KeyRead> reads = new ArrayList<>(checked);
    reads.add(new KeyRead(CatalogEntry.NUMBERS, newest.seen()));
    reads.add(new KeyRead(CompositeKey.header(first), Seen.ABSENT));
    List<Write> writes = new ArrayList<>(5);
    writes.add(new Write(CatalogEntry.key(name), entry.encode(), null));
    writes.add(new Write(CatalogEntry.NUMBERS, numbers.encode(), null));
    writes.add(new Write(crown.key(), crown.value(), null));
    writes.add(new Write(CompositeKey.header(first), header.encode(), null));
    if (!entry.layers().isEmpty()) {
      writes.add(new Write(new ClonePin(number, name).key(), entry.lowestPin().encode(), null));
    }
    Outcome outcome = transaction.commit(new Footprint(reads, List.of(), writes), LABEL);
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

  /** The subtrees of the indexes that had a name and were dropped, as far as they are left. */
  private static List<Long> formerSubtrees(GmuTransaction transaction, String name)
      throws TimeoutException {
    List<Long> kcls = new ArrayList<>();
    for (DropEntry drop : drops(transaction, DropEntry.prefix(name), DropEntry.end(name))) {
      byte[] from = CrownEntry.ku(drop.index().number(), new byte[0]);
      byte[] to = CrownEntry.ku(drop.index().number() + 1, new byte[0]);
      for (Live entry : range(transaction, ReservedKcl.CROWN, from, to).live()) {
        kcls.add(CrownEntry.decode(entry.ku(), entry.value()).kcl());
      }
    }
    return kcls;
  }

  /** The drops of a range of names, as far as something may be left of them. */
  static List<DropEntry> drops(GmuTransaction transaction, byte[] from, byte[] end)
      throws TimeoutException {
    return range(transaction, ReservedKcl.DROPS, from, end).live().stream()
        .map(note -> DropEntry.decode(note.ku(), note.value()))
        .toList();
  }

  /** An entry that is there. */
  record Live(byte[] ku, byte[] value, Seen seen) {}

  /**
   * The entries of a range.
   *
   * @param read what a commit has to validate
   */
  record Range(List<Live> live, RangeRead read) {}

  /** Reads all of a range. */
  static Range range(GmuTransaction transaction, ReservedKcl kcl, byte[] from, byte @Nullable [] to)
      throws TimeoutException {
    List<Live> live = new ArrayList<>();
    List<KeyRead> found = new ArrayList<>();
    byte[] next = from;
    while (true) {
      ReadAnswer answer =
          transaction.read(new ReadQuery.Scan(kcl.kcl(), next, to, false, PAGE_ENTRIES, true));
      if (!(answer instanceof ReadAnswer.Scanned page)) {
        throw Failures.unanswered(answer, null);
      }
      for (ReadAnswer.Entry entry : page.entries()) {
        found.add(new KeyRead(kcl.key(entry.ku()), entry.seen()));
        byte[] value = entry.value();
        if (value != null) {
          live.add(new Live(entry.ku(), value, entry.seen()));
        }
        next = KeyRange.successor(entry.ku());
      }
      if (page.complete()) {
        return new Range(live, new RangeRead(kcl.kcl(), from, to, found));
      }
    }
  }

  /** The transaction sees, and comes after, all that was told as committed before this call. */
  static void seeAll(GmuTransaction transaction) throws TimeoutException {
    ReadAnswer unread = transaction.fixAll();
    if (unread != null) {
      throw Failures.unanswered(unread, null);
    }
  }

  static ReadAnswer.Got get(GmuTransaction transaction, CompositeKey key) throws TimeoutException {
    ReadAnswer answer = transaction.read(new ReadQuery.Get(key));
    if (answer instanceof ReadAnswer.Got got) {
      return got;
    }
    throw Failures.unanswered(answer, null);
  }
}
