package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexClone;
import io.canopygrid.Limits;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.CloneLayer;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.names.SnapshotNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clones in the catalog (docs/internals/index.md, Clones). One small transaction makes a clone: its
 * entry, which names its layers, a pin that holds these, and its first subtree, which is empty.
 * Thread-safe.
 */
public final class IndexClones {
  private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final GmuNode node;
  private final Catalog catalog;
  private final LongSupplier wallMillis;

  /**
   * The clones of a catalog.
   *
   * @param wallMillis the time since 1970
   */
  public IndexClones(GmuNode node, Catalog catalog, LongSupplier wallMillis) {
    this.node = node;
    this.catalog = catalog;
    this.wallMillis = wallMillis;
  }

  /**
   * Makes a clone.
   *
   * @param parent the name of the index, now or then
   * @param then the state that it begins with; null: the present
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}, {@link ErrorCode#INDEX_EXISTS}, {@link
   *     ErrorCode#UNKNOWN_SNAPSHOT}, {@link ErrorCode#CLONE_TOO_DEEP}
   */
  public IndexClone make(String name, String parent, NamedSnapshots.@Nullable Taken then) {
    return clone(name, catalog.in(new Making(name, parent, then)));
  }

  /** All clones that are not flattened, by name. */
  public List<IndexClone> list() {
    List<IndexClone> clones = new ArrayList<>();
    catalog
        .entries()
        .forEach((name, entry) -> {
          if (!entry.layers().isEmpty()) {
            clones.add(clone(name, entry));
          }
        });
    return clones;
  }

  private static IndexClone clone(String name, CatalogEntry entry) {
    CloneLayer parent = entry.layers().get(0);
    Instant of = Instant.ofEpochMilli(parent.pin().createdMillis());
    return new IndexClone(name, parent.name(), of, entry.layers().size());
  }

  /** The number of times that a power cut has taken commits, and copied entries with them. */
  public int cuts() {
    return node.cuts();
  }

  /**
   * Ends that a clone shows its layers. It must have all of their entries by then.
   *
   * @param number of the clone
   * @param cuts how many there were ({@link #cuts}) before the first of these was copied
   * @return false: a power cut may have taken some of them since
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX} where it was dropped
   */
  public boolean flattened(String name, int number, int cuts) {
    CompositeKey key = CatalogEntry.key(name);
    return catalog.in(transaction -> {
      if (node.cuts() != cuts) {
        return false; // a transaction that began before a cut does not commit after it
      }
      seeAll(transaction); // who has the end has all copies
      ReadAnswer.Got found = Catalog.get(transaction, key);
      byte[] value = found.value();
      if (value == null || CatalogEntry.numberOf(value) != number) {
        throw new CanopyException(ErrorCode.UNKNOWN_INDEX, "index '" + name + "' was dropped");
      }
      CatalogEntry entry = CatalogEntry.decode(value);
      if (entry.layers().isEmpty()) {
        return true;
      }
      Footprint footprint =
          new Footprint(
              List.of(new KeyRead(key, found.seen())),
              List.of(),
              List.of(new Write(key, entry.flattened().encode(), null)));
      return Pins.commit(transaction, footprint) ? true : null;
    });
  }

  /** The commit then comes after all copies, and after all that the parent has. */
  private static void seeAll(GmuTransaction transaction) throws TimeoutException {
    Catalog.seeAll(transaction);
  }

  /** The making of one clone, which remembers its earlier attempts. Confined to one thread. */
  private final class Making implements Catalog.Body<CatalogEntry> {
    private final String name;
    private final String parent;
    private final NamedSnapshots.@Nullable Taken then;

    /** The entries of the attempts by their first subtrees: each attempt has its own. */
    private final Map<Long, CatalogEntry> tried = new HashMap<>();

    Making(String name, String parent, NamedSnapshots.@Nullable Taken then) {
      this.name = name;
      this.parent = parent;
      this.then = then;
    }

    @Override
    public @Nullable CatalogEntry run(GmuTransaction transaction) throws TimeoutException {
      if (then == null) {
        seeAll(transaction);
      }
      Pin present = new Pin(transaction.clock(), wallMillis.getAsLong());
      CompositeKey key = CatalogEntry.key(name);
      ReadAnswer.Got there = Catalog.get(transaction, key);
      byte[] value = there.value();
      if (value != null) {
        return existing(CatalogEntry.decode(value));
      }
      List<KeyRead> reads = new ArrayList<>();
      reads.add(new KeyRead(key, there.seen()));
      Pin pin = then == null ? present : pinOf(transaction, then, reads);
      CatalogEntry below = then == null ? parentNow(transaction, reads) : parentAt(pin);
      if (!catalog.isFree(transaction, name)) {
        return null; // the snapshot is old by now
      }
      List<CloneLayer> layers = layersAbove(below, pin);
      return catalog.create(
          transaction, name, reads, (number, first) -> entry(number, first, below, layers));
    }

    private CatalogEntry existing(CatalogEntry entry) {
      CatalogEntry made = tried.get(entry.firstSubtree());
      if (made != null) {
        return made; // with its layers: somebody may have flattened it
      }
      throw new CanopyException(ErrorCode.INDEX_EXISTS, "there is an index '" + name + "' already");
    }

    /** A drop of the snapshot at the same time comes before, or after the clone has its pin. */
    private Pin pinOf(
        GmuTransaction transaction, NamedSnapshots.Taken snapshot, List<KeyRead> reads)
        throws TimeoutException {
      ReadAnswer.Got pin = Catalog.get(transaction, snapshot.key());
      byte[] value = pin.value();
      if (value == null || !Pin.decode(value).clock().equals(snapshot.clock())) {
        throw SnapshotNames.unknown(snapshot.exact());
      }
      reads.add(new KeyRead(snapshot.key(), pin.seen()));
      return Pin.decode(value);
    }

    private CatalogEntry parentNow(GmuTransaction transaction, List<KeyRead> reads)
        throws TimeoutException {
      CompositeKey key = CatalogEntry.key(parent);
      ReadAnswer.Got found = Catalog.get(transaction, key);
      reads.add(new KeyRead(key, found.seen()));
      return parent(found.value());
    }

    private CatalogEntry parentAt(Pin pin) throws TimeoutException {
      long deadlineNanos = node.threads().nanoTime() + READ_NANOS;
      GmuTransaction past = node.beginAt(pin.clock(), true, deadlineNanos);
      try {
        return parent(Catalog.get(past, CatalogEntry.key(parent)).value());
      } finally {
        past.end();
      }
    }

    private CatalogEntry parent(byte @Nullable [] value) {
      if (value == null || Catalog.isOfSystem(parent)) {
        throw new CanopyException(
            ErrorCode.UNKNOWN_INDEX,
            "there is no index '" + parent + "'" + (then == null ? "" : " in the snapshot"));
      }
      return CatalogEntry.decode(value);
    }

    private List<CloneLayer> layersAbove(CatalogEntry below, Pin pin) {
      if (below.layers().size() >= Limits.CLONE_DEPTH_MAX) {
        throw new CanopyException(
            ErrorCode.CLONE_TOO_DEEP,
            "index '" + parent + "' has " + below.layers().size() + " others below it");
      }
      List<CloneLayer> layers = new ArrayList<>();
      layers.add(
          new CloneLayer(parent, below.number(), below.firstSubtree(), below.isClone(), pin));
      layers.addAll(below.layers());
      return layers;
    }

    private CatalogEntry entry(
        int number, long firstSubtree, CatalogEntry below, List<CloneLayer> layers) {
      CatalogEntry made =
          new CatalogEntry(
              number,
              firstSubtree,
              below.keyCodec(),
              below.valueCodec(),
              below.subtreeEntriesMax(),
              true,
              layers);
      tried.put(firstSubtree, made);
      return made;
    }
  }
}
