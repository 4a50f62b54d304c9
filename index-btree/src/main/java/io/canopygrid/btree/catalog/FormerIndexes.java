package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The indexes that had a name and were dropped. Before the name is given again, all of their
 * subtrees have to be marked: a transaction that has seen the new index can then not write into a
 * former one any more (docs/internals/index.md, Dropping). Thread-safe.
 */
final class FormerIndexes {
  private static final String LABEL = "canopy.drop";
  private static final long TIMEOUT_MILLIS = 10_000;

  /** Most headers of one transaction. */
  private static final int HEADERS_MAX = 64;

  private final GmuNode node;

  FormerIndexes(GmuNode node) {
    this.node = node;
  }

  /**
   * Whether all subtrees of all indexes that had a name are marked in a snapshot. Otherwise those
   * that are not are marked now, as far as no other transaction comes between, and a later snapshot
   * tells.
   *
   * @param kcls the subtrees of these indexes in the snapshot
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}
   */
  boolean areMarked(GmuTransaction transaction, List<Long> kcls) throws TimeoutException {
    Map<Integer, List<Write>> unmarked = new TreeMap<>();
    Map<CompositeKey, KeyRead> seen = new TreeMap<>();
    for (int i = 0; i < kcls.size(); i += HEADERS_MAX) {
      look(transaction, kcls.subList(i, Math.min(kcls.size(), i + HEADERS_MAX)), unmarked, seen);
    }
    for (List<Write> shard : unmarked.values()) {
      for (int i = 0; i < shard.size(); i += HEADERS_MAX) {
        List<Write> writes = shard.subList(i, Math.min(shard.size(), i + HEADERS_MAX));
        mark(writes, writes.stream().map(write -> seen.get(write.key())).toList());
      }
    }
    return unmarked.isEmpty();
  }

  /** Adds the marks that are missing, by shard, and what their commits have to validate. */
  private void look(
      GmuTransaction transaction,
      List<Long> kcls,
      Map<Integer, List<Write>> unmarked,
      Map<CompositeKey, KeyRead> seen)
      throws TimeoutException {
    List<ReadQuery> queries = new ArrayList<>();
    kcls.forEach(kcl -> queries.add(new ReadQuery.Get(CompositeKey.header(kcl))));
    List<ReadAnswer> answers = transaction.readAll(queries, query -> {});
    for (int i = 0; i < answers.size(); i++) {
      if (!(answers.get(i) instanceof ReadAnswer.Got got)) {
        throw Failures.unanswered(answers.get(i), null);
      }
      byte[] value = got.value();
      SubtreeHeader header = value == null ? null : SubtreeHeader.decode(value);
      if (header != null && !header.isRetired()) {
        CompositeKey key = CompositeKey.header(kcls.get(i));
        seen.put(key, new KeyRead(key, got.seen()));
        unmarked
            .computeIfAbsent(node.shardMap().shardOf(key.kcl()), any -> new ArrayList<>())
            .add(new Write(key, header.dropped().encode(), null));
      }
    }
  }

  private void mark(List<Write> writes, List<KeyRead> reads) {
    long deadlineNanos = node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
    try {
      Outcome outcome = transaction.commit(new Footprint(reads, List.of(), writes), LABEL);
      if (outcome instanceof Outcome.Aborted aborted
          && aborted.reason() == Outcome.AbortReason.SHARD_UNAVAILABLE) {
        throw new CanopyException(
            ErrorCode.SHARD_UNAVAILABLE,
            "an index that had the name before is not dropped everywhere yet");
      }
    } finally {
      transaction.end();
    }
  }
}
