package io.canopygrid.btree.access.read;

import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.CloneLayer;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Mode;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a transaction has to see of one clone (docs/internals/index.md, Clones). Confined to
 * the transaction's thread.
 */
public final class CloneLookup {
  private final Router router;
  private final GmuTransaction transaction;
  private final TransactionContext context;
  private final boolean isPast;

  /** The entry that this node's copy of the catalog had last, and what it says. */
  private @Nullable VersionChain lastSeen;

  private int lastNumber;
  private @Nullable KnownClone lastKnown;

  /**
   * The lookup of a transaction.
   *
   * @param isPast whether it reads a named snapshot, or as of a time
   */
  public CloneLookup(
      Router router, GmuTransaction transaction, TransactionContext context, boolean isPast) {
    this.router = router;
    this.transaction = transaction;
    this.context = context;
    this.isPast = isPast;
  }

  /**
   * An index as the transaction has it.
   *
   * @param index which may be an earlier one of the name
   * @param layers what it shows below its own entries
   */
  public record Shown(IndexRef index, List<CloneLayer> layers) {}

  /**
   * A clone in the transaction's snapshot. In the present this node's copy of the catalog mostly
   * says it; else it is read in the snapshot.
   */
  public Shown find(IndexRef wanted) throws TimeoutException {
    KnownClone known = isPast ? null : inCopy(wanted);
    if (known != null && isSeen(known.made()) && !isSeen(known.dropped())) {
      return new Shown(wanted, layersOf(known));
    }
    CatalogEntry entry = inSnapshot(wanted.name());
    if (entry != null && entry.number() == wanted.number()) {
      return new Shown(wanted, entry.layers());
    }
    if (context.mode() != Mode.READ_ONLY) {
      throw router.isDropped(wanted)
          ? Failures.dropped(wanted, context.id())
          : Failures.failure(
              ErrorCode.WRITE_CONFLICT,
              "index '" + wanted.name() + "' was made or dropped meanwhile",
              context.id(),
              null);
    }
    if (entry == null || entry.number() > wanted.number()) {
      return new Shown(wanted, List.of()); // the snapshot has nothing of it
    }
    if (!entry.keyCodec().equals(wanted.keyCodec())
        || !entry.valueCodec().equals(wanted.valueCodec())) {
      throw Failures.failure(
          ErrorCode.CODEC_MISMATCH,
          "index '" + wanted.name() + "' had other codecs in the snapshot",
          context.id(),
          null);
    }
    return new Shown(wanted.before(entry), entry.layers());
  }

  /**
   * Whether the transaction has the flattening of a clone. To be asked where a key has no entry in
   * the clone, after that was read: a removal that comes after the flattening leaves no mask. A
   * reader of the removal has the clock of the flattening, and all owners of TOP have heard of it
   * (docs/internals/index.md, Clones).
   */
  public boolean isFlattened(IndexRef clone) {
    if (isPast) {
      return false;
    }
    KnownClone known = inCopy(clone);
    if (known != null) {
      return isSeen(known.flattened());
    }
    try {
      CatalogEntry entry = inSnapshot(clone.name());
      return entry != null && entry.number() == clone.number() && entry.layers().isEmpty();
    } catch (TimeoutException e) {
      throw context.timeout(e);
    } catch (RuntimeException e) {
      throw context.failure(e);
    }
  }

  /** The layers may be gone although something else holds the horizon below the flattening. */
  private List<CloneLayer> layersOf(KnownClone known) {
    return isSeen(known.flattened()) ? List.of() : known.layers();
  }

  private boolean isSeen(@Nullable VectorClock at) {
    return at != null && at.precedesOrEquals(transaction.clock());
  }

  /** Whether {@link #isFlattened} does not block. */
  public boolean isAtHand(IndexRef clone) {
    return isPast || inCopy(clone) != null;
  }

  /** The masks that a removal needs. */
  public enum Masks {
    /** One where the layers have the key. */
    OF_LAYERS,
    /** One in any case: transactions that do not have the flattening look into the layers. */
    ALL,
    /** None: everybody has the flattening. */
    NONE
  }

  /**
   * The masks that removals from a clone need.
   *
   * @param hasLayers whether the transaction has found layers of it
   */
  public Masks masks(IndexRef clone, boolean hasLayers) {
    KnownClone known = inCopy(clone);
    if (known != null && known.isFlattenedForAll()) {
      return Masks.NONE;
    }
    return hasLayers && (known == null || known.flattened() == null) ? Masks.OF_LAYERS : Masks.ALL;
  }

  /** By this node's copy of the catalog, where that has all that others are sure of; else null. */
  @SuppressWarnings("ReferenceEquality") // versions never change: the same object says the same
  private @Nullable KnownClone inCopy(IndexRef clone) {
    VersionChain seen = router.ownsTop() ? router.catalogOf(clone.name()) : null;
    if (seen != lastSeen || clone.number() != lastNumber) {
      lastSeen = seen;
      lastNumber = clone.number();
      lastKnown = KnownClone.in(seen, clone.number());
    }
    return lastKnown;
  }

  private @Nullable CatalogEntry inSnapshot(String name) throws TimeoutException {
    ReadAnswer answer = transaction.read(new ReadQuery.Get(CatalogEntry.key(name)));
    if (!(answer instanceof ReadAnswer.Got got)) {
      throw Failures.unanswered(answer, context.id());
    }
    byte[] value = got.value();
    return value == null ? null : CatalogEntry.decode(value);
  }
}
