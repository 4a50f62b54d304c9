package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Tells the subtrees of a table's rows which secondary index all writers of rows have to know from
 * then on (docs/internals/index.md, Schema numbers). The number goes into their headers, some of
 * one shard in one transaction. A subtree passes it on with its keys, so it is enough that each key
 * was in a subtree when that was marked. Thread-safe.
 */
final class RowMarks {
  private static final String LABEL = "canopy.schema";
  private static final long TIMEOUT_MILLIS = 30_000;

  /** Most headers of one transaction. */
  private static final int HEADERS_MAX = 64;

  /** Most subtrees that are looked up in the crown at a time. */
  private static final int WINDOW = 1_024;

  private static final Backoff CONFLICTS = new Backoff(1_000_000, 50_000_000);

  private final GmuNode node;
  private final Router router;

  RowMarks(GmuNode node) {
    this.node = node;
    this.router = new Router(node);
  }

  /**
   * Returns when no transaction can write rows any more that does not know an index.
   *
   * @param rows the number of the rows' own index; where it is dropped there is nothing to mark
   * @param schema the number of the secondary index in its table
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT}
   */
  void require(int rows, int schema) throws TimeoutException {
    new Marking(rows, schema).run();
  }

  /** One marking of all subtrees. Confined to one thread. */
  final class Marking {
    private final int rows;
    private final int schema;
    private final long deadlineNanos =
        node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    private int conflicts;

    /** All keys below are in subtrees that are marked. */
    private byte[] from = new byte[0];

    /** The subtrees that did not cover the first key that is not marked. */
    private final Set<Long> refused = new HashSet<>();

    Marking(int rows, int schema) {
      this.rows = rows;
      this.schema = schema;
    }

    void run() throws TimeoutException {
      long kcl = router.subtreeOf(rows, from, deadlineNanos);
      while (kcl != SubtreeHeader.NONE) {
        List<Long> kcls = new ArrayList<>();
        kcls.add(kcl);
        Crown.entriesAbove(node.top(), rows, from, null, WINDOW).forEach(e -> kcls.add(e.kcl()));
        Map<Long, SubtreeHeader> marked = mark(kcls);
        if (isAll(marked)) {
          return;
        }
        kcl = next(kcl, marked.get(kcl));
      }
    }

    /** Goes on behind what is marked; whether that is all. */
    private boolean isAll(Map<Long, SubtreeHeader> marked) {
      TreeMap<byte[], SubtreeHeader> byLow = new TreeMap<>(Keys.ORDER);
      marked.values().stream()
          .filter(header -> !header.isRetired())
          .forEach(header -> byLow.put(header.low(), header));
      Map.Entry<byte[], SubtreeHeader> at = byLow.floorEntry(from);
      while (at != null && at.getValue().covers(from)) {
        byte[] high = at.getValue().high();
        if (high == null) {
          return true;
        }
        from = high;
        refused.clear();
        at = byLow.floorEntry(from);
      }
      return false;
    }

    /**
     * The subtree for the first key that is not marked, or one that is nearer to it.
     *
     * @param header of the subtree that was looked for it; null: it had none
     */
    private long next(long kcl, @Nullable SubtreeHeader header) throws TimeoutException {
      if (header != null && header.isDropped()) {
        return SubtreeHeader.NONE;
      }
      if (header == null) {
        pause();
        return router.subtreeOf(rows, from, deadlineNanos);
      }
      refused.add(kcl);
      return router.towards(kcl, header, from, refused::contains);
    }

    private void pause() throws TimeoutException {
      if (deadlineNanos - node.threads().nanoTime() <= 0) {
        throw new TimeoutException("not all subtrees of the rows could be marked");
      }
      CONFLICTS.pause(++conflicts, deadlineNanos, node.threads());
    }

    /** Marks subtrees; their headers, without those of subtrees that have none. */
    private Map<Long, SubtreeHeader> mark(List<Long> kcls) throws TimeoutException {
      Map<Integer, List<Long>> shards = new TreeMap<>();
      for (long kcl : kcls) {
        shards.computeIfAbsent(router.shardOf(kcl), any -> new ArrayList<>()).add(kcl);
      }
      Map<Long, SubtreeHeader> headers = new TreeMap<>();
      for (List<Long> shard : shards.values()) {
        for (int i = 0; i < shard.size(); i += HEADERS_MAX) {
          List<Long> group = shard.subList(i, Math.min(shard.size(), i + HEADERS_MAX));
          while (!isMarked(group, headers)) {
            pause();
          }
        }
      }
      return headers;
    }

    /** One transaction; false: another one came between. */
    private boolean isMarked(List<Long> kcls, Map<Long, SubtreeHeader> headers)
        throws TimeoutException {
      GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
      try {
        List<ReadQuery> queries = new ArrayList<>();
        kcls.forEach(kcl -> queries.add(new ReadQuery.Get(CompositeKey.header(kcl))));
        List<ReadAnswer> answers = transaction.readAll(queries, query -> {});
        List<KeyRead> reads = new ArrayList<>();
        List<Write> writes = new ArrayList<>();
        Map<Long, SubtreeHeader> found = new TreeMap<>();
        for (int i = 0; i < answers.size(); i++) {
          if (!(answers.get(i) instanceof ReadAnswer.Got got)) {
            throw Failures.unanswered(answers.get(i), null);
          }
          byte[] value = got.value();
          if (value == null) {
            continue;
          }
          SubtreeHeader header = SubtreeHeader.decode(value);
          found.put(kcls.get(i), header);
          if (!header.isRetired() && header.schema() < schema) {
            CompositeKey key = CompositeKey.header(kcls.get(i));
            reads.add(new KeyRead(key, got.seen()));
            writes.add(new Write(key, header.withSchema(schema).encode(), null));
          }
        }
        if (!writes.isEmpty() && !isCommitted(transaction, reads, writes)) {
          return false;
        }
        headers.putAll(found);
        return true;
      } finally {
        transaction.end();
      }
    }

    private boolean isCommitted(
        GmuTransaction transaction, List<KeyRead> reads, List<Write> writes) {
      Outcome outcome = transaction.commit(new Footprint(reads, List.of(), writes), LABEL);
      if (outcome instanceof Outcome.Aborted aborted
          && aborted.reason() == Outcome.AbortReason.SHARD_UNAVAILABLE) {
        throw new CanopyException(
            ErrorCode.SHARD_UNAVAILABLE, "the rows of the table cannot be written");
      }
      return outcome instanceof Outcome.Committed;
    }
  }
}
