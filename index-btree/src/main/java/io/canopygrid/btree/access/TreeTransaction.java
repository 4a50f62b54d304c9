package io.canopygrid.btree.access;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.SortedPart;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadQuery.Turn;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One transaction over any number of indexes. Confined to one thread at a time. All methods throw
 * {@link io.canopygrid.CanopyException}.
 */
public final class TreeTransaction implements EngineTransaction {
  private final TreeAccess access;
  private final GmuTransaction gmu;
  private final Snapshot snapshot;
  private final long deadlineNanos;
  private final Mode mode;

  /** The named snapshot that it reads, exactly; empty: none. */
  private final String named;

  private final String label;
  private final OwnUse use;
  private List<TreeView> views = List.of();
  private @Nullable String id;

  /** Why the handle has ended it; set by another thread. */
  private volatile @Nullable CanopyException cutOff;

  /** What the commit leaves behind beside what its caller wrote. */
  private @Nullable Write record;

  /** The subtrees that it makes of entries. */
  private @Nullable SubtreeLoad load;

  /** A key that was changed after this transaction had read it, which ended it. */
  private @Nullable Entry lost;

  /** Where it takes its turn; null: nowhere. */
  private @Nullable Entry turn;

  /** What was read there before anybody asked for it; not remembered before that. */
  private Snapshot.@Nullable PointRead ahead;

  private int remoteRequests;
  private int redirects;

  TreeTransaction(TreeAccess access, GmuTransaction gmu, Begin how, String named, OwnUse use) {
    this.access = access;
    this.gmu = gmu;
    this.deadlineNanos = how.deadlineNanos();
    this.snapshot = new Snapshot(access.router(), gmu, this, deadlineNanos, use);
    this.use = use;
    this.named = named;
    this.mode = how.mode();
    this.label = how.label();
  }

  @Override
  public TreeView on(OpenIndex index) {
    IndexRef wanted = (IndexRef) index;
    for (TreeView view : views) {
      if (view.index().number() == wanted.number()) {
        return view;
      }
    }
    TreeView view = new TreeView(this, wanted);
    if (views.isEmpty()) {
      views = new ArrayList<>(2);
    }
    views.add(view);
    return view;
  }

  @Override
  public String id() {
    if (id == null) {
      id = access.nextId();
    }
    return id;
  }

  @Override
  public VectorClock clock() {
    return gmu.clock();
  }

  @Override
  public int remoteRequests() {
    return remoteRequests;
  }

  @Override
  public int redirects() {
    return redirects;
  }

  /** Commits, following keys that have moved. */
  @Override
  public VectorClock commit() {
    return Invariant.present(commit(null), "a commit without a record is not refused by one");
  }

  /**
   * The same, and leaves a record of it, if it writes anything.
   *
   * @param left the record; null: none
   * @return null where there is such a record: what became of this commit was settled before, and
   *     nothing was done now
   */
  public @Nullable VectorClock commit(@Nullable Write left) {
    try {
      if (mode != Mode.SERIALIZABLE && !hasWrites()) {
        return gmu.clock();
      }
      checkTime();
      record = hasWrites() ? left : null;
      Footprint footprint = footprint();
      VectorClock at = new CommitLoop(access, this, gmu, label, deadlineNanos).commit(footprint);
      if (at != null && use.isHeard()) {
        tellUse(footprint);
      }
      return at;
    } catch (TimeoutException e) {
      throw Failures.timeout(id(), e);
    } catch (RuntimeException e) {
      throw failure(e);
    } finally {
      gmu.end();
    }
  }

  private void tellUse(Footprint footprint) {
    for (Write write : footprint.writes()) {
      if (write.origin() == null && !write.key().isHeader()) {
        use.wrote(write.key().kcl());
      }
    }
  }

  @Override
  public void end() {
    gmu.end();
  }

  @Override
  public void cutOff(ErrorCode code, String why) {
    cutOff = Failures.failure(code, why, null, null);
    gmu.end();
  }

  @Override
  public void countCommit() {
    for (TreeView view : views) {
      view.index().counters().committed();
    }
  }

  /**
   * Loads a part of an index, where nothing else is done in this transaction.
   *
   * @return how many subtrees that makes; 0: none, and nothing was done
   */
  int load(IndexRef index, SortedPart part) throws TimeoutException {
    Invariant.holds(load == null && !hasWrites(), "a load is a transaction of its own");
    load = SubtreeLoad.plan(this, index, part);
    return load == null ? 0 : load.births();
  }

  long[] newSubtrees(int count) {
    return access.births().kcls(count);
  }

  /** Whether its commit changes the structure, so that it cannot follow what has moved. */
  boolean makesSubtrees() {
    return load != null;
  }

  /** A load is in the way of another change of the structure. */
  CanopyException structureChanged(long kcl) {
    access.closing().settle(kcl);
    return Failures.failure(
        ErrorCode.WRITE_CONFLICT,
        "the subtree that a load goes into was being changed by another transaction",
        id(),
        null);
  }

  private boolean hasWrites() {
    if (load != null) {
      return true;
    }
    for (TreeView view : views) {
      if (view.hasWrites()) {
        return true;
      }
    }
    return false;
  }

  private Footprint footprint() throws TimeoutException {
    List<KeyRead> reads = new ArrayList<>();
    List<RangeRead> ranges = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    for (TreeView view : views) {
      view.addReads(reads, ranges);
      view.addWrites(access.router(), deadlineNanos, writes);
    }
    if (load != null) {
      load.addTo(reads, ranges, writes);
    }
    if (record != null) {
      reads.add(new KeyRead(record.key(), Seen.ABSENT));
      writes.add(record);
    }
    return new Footprint(reads, ranges, writes);
  }

  /** A key of an index. */
  private record Entry(IndexRef index, byte[] key) {}

  /** A refusal has named a key: remembered where it is one that was read by itself. */
  void lost(CompositeKey key) {
    if (key.isHeader() || isRecord(key)) {
      return;
    }
    byte[] userKey = EntryKeys.userKey(key);
    for (TreeView view : views) {
      CompositeKey place = view.placeRead(userKey);
      // One that has moved since may be that of another index, too.
      if (place != null && (lost == null || place.equals(key))) {
        lost = new Entry(view.index(), userKey);
      }
    }
  }

  @Override
  public boolean hasLostKey() {
    return lost != null;
  }

  /**
   * The key is read at once, before anything fixes the snapshot in its shard: read later, it could
   * be as old as what was read there before.
   */
  @Override
  public void queueAfter(EngineTransaction failed) {
    Entry wanted = failed instanceof TreeTransaction before ? before.lost : null;
    if (wanted == null || !remembers()) {
      return;
    }
    turn = wanted;
    try {
      ahead = snapshot.get(wanted.index, wanted.key, Turn.OWN);
    } catch (TimeoutException e) {
      throw Failures.timeout(id(), e);
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  @Override
  public void queueAt(OpenIndex index, byte[] key) {
    if (remembers()) {
      turn = new Entry((IndexRef) index, key);
    }
  }

  /** A key as it is in the snapshot. */
  Snapshot.PointRead read(IndexRef index, byte[] key) throws TimeoutException {
    Entry own = turn;
    if (own == null || own.index.number() != index.number() || !Arrays.equals(own.key, key)) {
      return snapshot.get(index, key, remembers() ? Turn.BEHIND_OTHERS : Turn.NONE);
    }
    return ahead != null ? ahead : snapshot.get(index, key, Turn.OWN);
  }

  /** Whether a key is that of the record that this transaction's commit leaves. */
  boolean isRecord(@Nullable CompositeKey key) {
    return record != null && key != null && record.key().equals(key);
  }

  PagesAhead pagesAhead(IndexRef index, byte @Nullable [] to, boolean reverse, int atOnce) {
    return new PagesAhead(snapshot, access.router(), index, to, reverse, atOnce);
  }

  @Override
  public String snapshot() {
    return named;
  }

  Snapshot reads() {
    return snapshot;
  }

  boolean remembers() {
    return mode != Mode.READ_ONLY;
  }

  /** What went wrong below, as a coded error. */
  RuntimeException failure(RuntimeException e) {
    return cutOff != null ? cutOff : Failures.ofNode(e, id());
  }

  /** Nothing is asked for a transaction whose time is over: it may be ended by then. */
  void checkTime() throws TimeoutException {
    if (cutOff != null) {
      throw cutOff;
    }
    if (deadlineNanos - access.threads().nanoTime() <= 0) {
      throw new TimeoutException("its deadline has passed");
    }
  }

  void countRemoteRequests(int requests) {
    remoteRequests += requests;
  }

  void countRedirect() {
    redirects++;
  }

  /** A prepare and a decision to the primary, on another node, of each shard. */
  void countCommitRequests(Footprint footprint) {
    RemoteShards remote = new RemoteShards(access.router());
    footprint.reads().forEach(read -> remote.add(read.key().kcl()));
    footprint.ranges().forEach(range -> remote.add(range.kcl()));
    footprint.writes().forEach(write -> remote.add(write.key().kcl()));
    remoteRequests += remote.requests();
  }

  /** Index and key in words, as far as they are known. */
  String describe(@Nullable CompositeKey key) {
    if (key == null) {
      return "a key";
    }
    if (isRecord(key)) {
      return "the record of the commit";
    }
    IndexRef index = indexOf(key);
    if (key.isHeader()) {
      return "a subtree of index '" + index.name() + "'";
    }
    byte[] userKey = EntryKeys.userKey(key);
    return "key " + index.textOf(userKey) + " of index '" + index.name() + "'";
  }

  /** The parts of a refusal for programs, as {@link CanopyException#facts}. */
  Map<String, String> facts(Outcome.Aborted aborted) {
    Map<String, String> facts = new TreeMap<>();
    CompositeKey key = aborted.key();
    if (key != null && !isRecord(key)) {
      IndexRef index = indexOf(key);
      facts.put("index", index.name());
      if (!key.isHeader()) {
        facts.put("key", index.textOf(EntryKeys.userKey(key)));
      }
    }
    String other = aborted.otherLabel();
    if (other != null && !other.isEmpty()) {
      facts.put("other", other);
    }
    return facts;
  }

  /** Which of this transaction's indexes a key is of, as far as can be told without a read. */
  IndexRef indexOf(CompositeKey key) {
    TreeView found = views.get(0);
    byte[] userKey = key.isHeader() ? new byte[0] : EntryKeys.userKey(key);
    for (TreeView view : views) {
      if (view.scanned(key.kcl())) {
        return view.index();
      }
      if (view.touched(userKey)) {
        found = view;
      }
    }
    return found.index();
  }
}
