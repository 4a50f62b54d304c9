package io.canopygrid.btree.access.read;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.engine.Mode;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of one snapshot that were dropped in the present. Their subtrees are found in the
 * snapshot's own crown: that of the present does not have them any more. An index that was created
 * after the snapshot may have a predecessor of the same name, which is the one that the snapshot
 * shows. Confined to the transaction's thread.
 */
final class DroppedIndexes {
  private final GmuTransaction transaction;
  private final TransactionContext context;
  private final Set<Integer> dropped = new HashSet<>();

  /** The index that has the name in the snapshot, by the number of the one that has it now. */
  private final Map<Integer, IndexRef> shown = new HashMap<>();

  DroppedIndexes(GmuTransaction transaction, TransactionContext context) {
    this.transaction = transaction;
    this.context = context;
  }

  /** The index is searched for in the snapshot's own crown from now on. */
  void add(IndexRef index) {
    dropped.add(index.number());
  }

  boolean contains(IndexRef index) {
    return dropped.contains(index.number());
  }

  /** The index that the snapshot shows under the name of another one. */
  IndexRef shown(IndexRef index) {
    return shown.getOrDefault(index.number(), index);
  }

  /**
   * The subtree of the keys right below an end in the snapshot; {@link SubtreeHeader#NONE}: the
   * snapshot has none of the index.
   *
   * @param end null: the last subtree
   */
  long subtreeBelow(IndexRef index, byte @Nullable [] end) throws TimeoutException {
    CrownEntry entry = Router.entryIn(transaction, index.number(), end);
    return entry == null ? SubtreeHeader.NONE : entry.kcl();
  }

  /**
   * Whether the snapshot, which has nothing of an index, shows an earlier one of its name; it is
   * {@link #shown} from now on.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX} where it does not, and the index is
   *     dropped: it may have been there before the snapshot
   */
  boolean findBefore(IndexRef index) throws TimeoutException {
    boolean found = !shown.containsKey(index.number()) && searchBefore(index);
    if (!found && contains(index)) {
      throw Failures.dropped(index, context.id());
    }
    return found;
  }

  private boolean searchBefore(IndexRef index) throws TimeoutException {
    shown.put(index.number(), index);
    ReadAnswer answer = transaction.read(new ReadQuery.Get(CatalogEntry.key(index.name())));
    if (!(answer instanceof ReadAnswer.Got got)) {
      throw Failures.unanswered(answer, context.id());
    }
    byte[] value = got.value();
    CatalogEntry entry = value == null ? null : CatalogEntry.decode(value);
    if (entry == null || entry.number() >= index.number()) {
      return false; // numbers grow: a greater one is that of a successor
    }
    if (context.mode() != Mode.READ_ONLY) {
      throw failure(ErrorCode.WRITE_CONFLICT, "index '%s' was dropped and created again", index);
    }
    if (entry.isClone()) {
      throw failure(ErrorCode.CODEC_MISMATCH, "index '%s' was a clone in the snapshot", index);
    }
    if (!entry.keyCodec().equals(index.keyCodec())
        || !entry.valueCodec().equals(index.valueCodec())) {
      throw failure(ErrorCode.CODEC_MISMATCH, "index '%s' had other codecs in the snapshot", index);
    }
    shown.put(index.number(), index.before(entry));
    return true;
  }

  private CanopyException failure(ErrorCode code, String text, IndexRef index) {
    return Failures.failure(code, text.replace("%s", index.name()), context.id(), null);
  }
}
