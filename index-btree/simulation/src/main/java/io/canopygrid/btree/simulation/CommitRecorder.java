package io.canopygrid.btree.simulation;

import io.canopygrid.Codec;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shipped trees, watched: with which clock the values of each attempt were committed, whoever
 * was told of it.
 */
final class CommitRecorder extends WatchedTrees {
  private final Map<Long, Map<TxId, VectorClock>> clocks = new HashMap<>();
  private final KclCheck births = new KclCheck();
  private Set<TxId> lasting = Set.of();

  CommitRecorder(int arity) {
    super(BPlusTree.factory(arity));
  }

  /** Says what has lasted to the end of the run: nothing else has happened. */
  void lasts(Set<TxId> transactions) {
    lasting = transactions;
  }

  /** Kcls that were used more than once. */
  List<String> reusedKcls() {
    return births.problems();
  }

  /** The commit clock of an attempt that has put a value; null: it did not commit. */
  @Nullable VectorClock clockOf(Attempt attempt) {
    for (Map.Entry<TxId, VectorClock> e :
        clocks.getOrDefault(attempt.number, Map.of()).entrySet()) {
      if (lasting.contains(e.getKey())) {
        return e.getValue();
      }
    }
    return null;
  }

  @Override
  void onPut(CompositeKey at, VersionChain chain) {
    if (at.isHeader() && SubtreeHeader.isSubtree(at.kcl())) {
      births.saw(at.kcl(), chain);
    }
    if (at.isHeader() || !SubtreeHeader.isSubtree(at.kcl())) {
      return;
    }
    for (VersionChain v = chain; v != null; v = v.older()) {
      // A value that is on the disk only was seen when it was put here.
      byte[] value = v.isCold() ? null : v.value();
      // A moved copy has the clock of the move, one below the horizon perhaps none.
      if (value != null && isNumber(value) && v.tid().equals(v.writer()) && v.clock().size() > 0) {
        clocks
            .computeIfAbsent(Codec.int64().decode(value), n -> new TreeMap<>())
            .putIfAbsent(v.tid(), v.clock());
      }
    }
  }

  /** Values of another size are those of a {@link TreeWork}. */
  private static boolean isNumber(byte[] value) {
    return value.length == Long.BYTES;
  }
}
