package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.store.VersionChain;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The versions that one node's copies have ever held, garbage included: known by watching its
 * stores. The protocol does not see the ledger; the checker does.
 */
final class VersionLedger implements OrderedStore.Factory {
  /** A version's place in the order of its key. */
  record Place(long sequenceNumber, TxId tid) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparingLong(Place::sequenceNumber).thenComparing(Place::tid);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /** The versions known of one key. */
  static final class Entry {
    final SortedSet<Place> history = new TreeSet<>();
    @Nullable VersionChain newest;

    /** The newest tombstone that was dropped: who reads "absent" has seen this. */
    @Nullable Place ghost;

    Entry copy() {
      Entry copy = new Entry();
      copy.merge(this);
      return copy;
    }

    void merge(Entry other) {
      history.addAll(other.history);
      drop(other.ghost);
    }

    /** A state can bring the ghost of an older tombstone than the one dropped here. */
    void drop(@Nullable Place tombstone) {
      if (tombstone != null && (ghost == null || ghost.compareTo(tombstone) < 0)) {
        ghost = tombstone;
      }
    }
  }

  private final OrderedStore.Factory stores;
  private final ToIntFunction<CompositeKey> shardOf;
  private final Map<CompositeKey, Entry> entries = new HashMap<>();

  /** By shard: the stores created before this one are of copies that were dropped. */
  private final Map<Integer, Integer> firstStore = new HashMap<>();

  /** Of copies that were dropped: an answer or a state of before can still wait for the disk. */
  private final Map<CompositeKey, Entry> forgotten = new HashMap<>();

  /**
   * The versions that came with the topologies of a node that came back: those of its disk, which
   * may be of another past, among them.
   */
  private final Map<CompositeKey, Set<Place>> ofDisk = new HashMap<>();

  private final MadeCuts cuts;
  private int created;

  /**
   * Knows nothing yet.
   *
   * @param cuts is told the clocks of all versions, and says which of them are of another past
   */
  VersionLedger(OrderedStore.Factory stores, ToIntFunction<CompositeKey> shardOf, MadeCuts cuts) {
    this.stores = stores;
    this.shardOf = shardOf;
    this.cuts = cuts;
  }

  Map<CompositeKey, Entry> entries() {
    return entries;
  }

  @Nullable Entry get(CompositeKey key) {
    return entries.get(key);
  }

  /** Which dropped tombstone a reader of an absent key has seen. */
  @Nullable TxId ghost(CompositeKey key) {
    Entry entry = entries.get(key);
    if (entry == null || entry.ghost == null) {
      entry = forgotten.get(key);
    }
    return entry == null || entry.ghost == null ? null : entry.ghost.tid();
  }

  /**
   * Forgets shards whose copy is dropped with what comes next. A copy that is dropped may still
   * apply what its term leaves behind; that is not seen any more.
   */
  void forget(IntPredicate dropped, int shards) {
    entries
        .entrySet()
        .removeIf(entry -> {
          boolean isDropped = dropped.test(shardOf.applyAsInt(entry.getKey()));
          if (isDropped) {
            forgotten.put(entry.getKey(), entry.getValue());
          }
          return isDropped;
        });
    for (int shard = 0; shard < shards; shard++) {
      if (dropped.test(shard)) {
        firstStore.put(shard, created);
      }
    }
  }

  /**
   * A copy of what is known of some keys: what their state carries along, unseen.
   *
   * @param old whether the state is of a copy that may have been dropped since
   */
  Map<CompositeKey, Entry> copyOf(Predicate<CompositeKey> wanted, boolean old) {
    Map<CompositeKey, Entry> copy = new HashMap<>();
    if (old) {
      forgotten.forEach((key, entry) -> {
        if (wanted.test(key)) {
          copy.put(key, entry.copy());
        }
      });
    }
    entries.forEach((key, entry) -> {
      if (wanted.test(key)) {
        copy.put(key, entry.copy());
      }
    });
    return copy;
  }

  /**
   * Takes over what a node's ledger knew, as this node begins with its disk: all but what was lost
   * on the way there.
   *
   * @param forgotten whether a shard's copy was dropped, and the disk has not heard of it
   */
  void inherit(VersionLedger before, IntPredicate forgotten, Set<StorageChange.PutVersion> lost) {
    before.forgotten.forEach((key, entry) -> {
      if (forgotten.test(shardOf.applyAsInt(key))) {
        entries.computeIfAbsent(key, k -> new Entry()).merge(entry);
      }
    });
    before.entries.forEach(
        (key, entry) -> entries.computeIfAbsent(key, k -> new Entry()).merge(entry));
    for (StorageChange.PutVersion version : lost) {
      Entry known = entries.get(version.key());
      if (known != null) {
        known.history.remove(new Place(version.sequenceNumber(), version.tid()));
      }
    }
  }

  /** The versions that are known now, by key. */
  Map<CompositeKey, Set<Place>> known() {
    Map<CompositeKey, Set<Place>> known = new HashMap<>();
    entries.forEach((key, entry) -> known.put(key, new HashSet<>(entry.history)));
    return known;
  }

  /**
   * A node that came back has installed a topology, and with it taken over copies of its disk.
   *
   * @param before the versions that were known until then
   */
  void cameBack(Map<CompositeKey, Set<Place>> before) {
    known()
        .forEach((key, places) -> {
          places.removeAll(before.getOrDefault(key, Set.of()));
          ofDisk.computeIfAbsent(key, k -> new HashSet<>()).addAll(places);
        });
  }

  /**
   * The copy of a shard is complete now, so what a cut took while the disk was away has to be gone
   * from it: that is forgotten, and all else counts as the node's own.
   */
  void completed(int shard) {
    ofDisk
        .entrySet()
        .removeIf(each -> {
          boolean isOfShard = shardOf.applyAsInt(each.getKey()) == shard;
          Entry known = entries.get(each.getKey());
          if (isOfShard && known != null) {
            known.history.removeIf(place ->
                each.getValue().contains(place)
                    && cuts.hasTaken(place.tid())
                    && !isIn(place, known.newest));
          }
          return isOfShard;
        });
  }

  private static boolean isIn(Place place, @Nullable VersionChain chain) {
    for (VersionChain v = chain; v != null; v = v.older()) {
      if (placeOf(v).equals(place)) {
        return true;
      }
    }
    return false;
  }

  private static Place placeOf(VersionChain version) {
    return new Place(version.sequenceNumber(), version.tid());
  }

  /** Forgets shards of which the disk has no copy: a cut may have taken some of it. */
  void drop(IntPredicate shards) {
    entries.keySet().removeIf(key -> shards.test(shardOf.applyAsInt(key)));
  }

  void merge(Map<CompositeKey, Entry> other) {
    other.forEach((key, e) -> entries.computeIfAbsent(key, k -> new Entry()).merge(e));
  }

  @Override
  public <V> OrderedStore<V> create() {
    return new Watched<>(stores.create(), created++);
  }

  private boolean isDropped(int store, CompositeKey key) {
    return store < firstStore.getOrDefault(shardOf.applyAsInt(key), 0);
  }

  private void onPut(int store, byte[] bytes, VersionChain chain) {
    CompositeKey key = CompositeKey.ofBytes(bytes);
    if (isDropped(store, key)) {
      return;
    }
    Entry entry = entries.computeIfAbsent(key, k -> new Entry());
    entry.newest = chain;
    for (VersionChain v = chain; v != null; v = v.older()) {
      entry.history.add(placeOf(v));
      cuts.knows(shardOf.applyAsInt(key), v);
    }
  }

  private void onRemove(int store, byte[] bytes, VersionChain last) {
    CompositeKey key = CompositeKey.ofBytes(bytes);
    if (isDropped(store, key)) {
      return;
    }
    Entry entry = entries.computeIfAbsent(key, k -> new Entry());
    entry.newest = null;
    Place place = placeOf(last);
    boolean isCut =
        ofDisk.getOrDefault(key, Set.of()).contains(place) && cuts.hasTaken(place.tid());
    if (last.isTombstone() && !isCut) {
      entry.drop(place);
    }
  }

  /** A store whose changes are noted. */
  private final class Watched<V> implements OrderedStore<V> {
    private final OrderedStore<V> store;
    private final int number;

    private Watched(OrderedStore<V> store, int number) {
      this.store = store;
      this.number = number;
    }

    @Override
    public @Nullable V get(byte[] key) {
      return store.get(key);
    }

    @Override
    public @Nullable V put(byte[] key, V value) {
      if (value instanceof VersionChain chain) {
        onPut(number, key, chain);
      }
      return store.put(key, value);
    }

    @Override
    public @Nullable V remove(byte[] key) {
      V before = store.remove(key);
      if (before instanceof VersionChain chain) {
        onRemove(number, key, chain);
      }
      return before;
    }

    @Override
    public int size() {
      return store.size();
    }

    @Override
    public OrderedView<V> view() {
      return store.view();
    }
  }
}
