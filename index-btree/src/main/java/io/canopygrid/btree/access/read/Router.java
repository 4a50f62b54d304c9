package io.canopygrid.btree.access.read;

import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.btree.crown.PreparedEntry;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds subtrees in this node's copy of the crown, and asks TOP's primary where the copy knows
 * nothing of an index yet. Thread-safe.
 */
public final class Router {
  private final GmuNode node;

  /** Routes through a node's copy of the crown. */
  public Router(GmuNode node) {
    this.node = node;
  }

  /** The subtree of a key; {@link SubtreeHeader#NONE}: the index was dropped. */
  public long subtreeOf(int index, byte[] key, long deadlineNanos) throws TimeoutException {
    long kcl = Crown.subtreeOf(node.top(), index, key);
    return kcl != SubtreeHeader.NONE
        ? kcl
        : kclOf(askTop(index, KeyRange.successor(key), deadlineNanos));
  }

  /** The same as far as this node's copy knows; {@link SubtreeHeader#NONE}: it does not know. */
  long subtreeAtHand(int index, byte[] key) {
    return Crown.subtreeOf(node.top(), index, key);
  }

  /**
   * The subtree of the keys right below an end; null: the last one. {@link SubtreeHeader#NONE}: the
   * index was dropped.
   */
  long subtreeBelow(int index, byte @Nullable [] end, long deadlineNanos) throws TimeoutException {
    long kcl = Crown.subtreeBelow(node.top(), index, end);
    return kcl != SubtreeHeader.NONE ? kcl : kclOf(askTop(index, end, deadlineNanos));
  }

  private static long kclOf(@Nullable CrownEntry entry) {
    return entry == null ? SubtreeHeader.NONE : entry.kcl();
  }

  /** Whether this node owns TOP: then its copy has every commit of TOP that is done. */
  boolean ownsTop() {
    Topology topology = node.topology();
    return topology.shard(topology.top()).owners().contains(node.self());
  }

  /** The versions of the catalog's entry of a name in this node's copy of TOP; null: none. */
  @Nullable VersionChain catalogOf(String name) {
    return node.top().get(CatalogEntry.key(name).bytes());
  }

  /** Whether this node's copy of TOP knows that an index was dropped. */
  public boolean isDropped(IndexRef index) {
    return DropEntry.has(node.top(), index.name(), index.number())
        || Crown.entryBelow(node.top(), index.number(), null) == null;
  }

  /** Whether an index was dropped, as TOP's primary knows it: this node's copy may be behind. */
  boolean wasDropped(IndexRef index, long deadlineNanos) throws TimeoutException {
    GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
    try {
      CompositeKey note = DropEntry.key(index.name(), index.number());
      ReadAnswer answer = transaction.read(new ReadQuery.Get(note));
      if (!(answer instanceof ReadAnswer.Got got)) {
        throw Failures.unanswered(answer, null);
      }
      return got.value() != null || entryIn(transaction, index.number(), null) == null;
    } finally {
      transaction.end();
    }
  }

  /** Subtrees that begin above a key and below an end, as far as this node's copy knows. */
  List<CrownEntry> subtreesAbove(int index, byte[] key, byte @Nullable [] end, int max) {
    return Crown.entriesAbove(node.top(), index, key, end, max);
  }

  /** The crown's entry for a key; null: the index was dropped. */
  @Nullable CrownEntry entryOf(int index, byte[] key, long deadlineNanos) throws TimeoutException {
    return entryBelow(index, KeyRange.successor(key), deadlineNanos);
  }

  /**
   * The crown's entry for the keys right below an end; null: the last one.
   *
   * @return null: the index was dropped
   */
  @Nullable CrownEntry entryBelow(int index, byte @Nullable [] end, long deadlineNanos)
      throws TimeoutException {
    CrownEntry entry = Crown.entryBelow(node.top(), index, end);
    return entry != null ? entry : askTop(index, end, deadlineNanos);
  }

  /**
   * The next subtree for a key that a subtree no longer covers.
   *
   * @param hasRefused whether a subtree was asked for the key before, and did not cover it
   */
  public long towards(long kcl, SubtreeHeader header, byte[] key, LongPredicate hasRefused) {
    CrownEntry entry = Crown.entryBelow(node.top(), header.index(), KeyRange.successor(key));
    return towards(entry, kcl, header, key, hasRefused);
  }

  /**
   * The crown's answer is taken if it leads in the same direction; else the neighbour on that side,
   * or the subtree that took the last keys. So each step gets nearer. This node's copy of the crown
   * may be behind, and lead back to a subtree that is no more: that has refused then, and is not
   * asked again.
   *
   * @param entry of the crown, for the key
   */
  static long towards(
      @Nullable CrownEntry entry,
      long kcl,
      SubtreeHeader header,
      byte[] key,
      LongPredicate hasRefused) {
    boolean goesOn =
        entry != null
            && entry.kcl() != kcl
            && !hasRefused.test(entry.kcl())
            && (header.isRetired()
                || header.isBelowHigh(key)
                || !header.isBelowHigh(entry.separator()));
    return goesOn && entry != null ? entry.kcl() : header.towards(key);
  }

  /** The shard of a kcl. */
  public int shardOf(long kcl) {
    return node.shardMap().shardOf(kcl);
  }

  /** Whether a read of a kcl has to ask another node. */
  public boolean isRemote(long kcl) {
    NodeId primary = primary(kcl);
    return primary != null && !primary.equals(node.self());
  }

  private @Nullable NodeId primary(long kcl) {
    List<NodeId> owners = node.topology().shard(shardOf(kcl)).owners();
    return owners.isEmpty() ? null : owners.get(0);
  }

  /** The name of the prepared transaction of a number, as far as this node's copy of TOP knows. */
  public String holder(long owner) {
    PreparedEntry entry = PreparedEntry.ofOwner(node.top(), owner);
    return entry == null
        ? "number " + Long.toHexString(owner)
        : entry.id() + (entry.label().isEmpty() ? "" : " '" + entry.label() + "'");
  }

  /** The id of this node. */
  public String self() {
    return node.self().toString();
  }

  /** The node that a read of a kcl asks; empty: there is none. */
  public String primaryOf(long kcl) {
    NodeId primary = primary(kcl);
    return primary == null ? "" : primary.toString();
  }

  /** The crown's last entry below an end, as TOP's primary knows it; null: there is none. */
  private @Nullable CrownEntry askTop(int index, byte @Nullable [] end, long deadlineNanos)
      throws TimeoutException {
    GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
    try {
      return entryIn(transaction, index, end);
    } finally {
      transaction.end();
    }
  }

  /** The crown's last entry below an end in a snapshot; null: the index has none there. */
  public static @Nullable CrownEntry entryIn(
      GmuTransaction transaction, int index, byte @Nullable [] end) throws TimeoutException {
    byte[] from = CrownEntry.ku(index, new byte[0]);
    byte[] to = end == null ? CrownEntry.ku(index + 1, new byte[0]) : CrownEntry.ku(index, end);
    while (true) { // a page can have nothing but entries that were removed
      ReadAnswer answer =
          transaction.read(new ReadQuery.Scan(ReservedKcl.CROWN.kcl(), from, to, true, 1, true));
      if (!(answer instanceof ReadAnswer.Scanned scanned)) {
        throw Failures.unanswered(answer, null);
      }
      for (ReadAnswer.Entry entry : scanned.entries()) {
        if (entry.value() != null) {
          return CrownEntry.decode(entry.ku(), entry.value());
        }
        to = entry.ku();
      }
      if (scanned.complete()) {
        return null;
      }
    }
  }
}
