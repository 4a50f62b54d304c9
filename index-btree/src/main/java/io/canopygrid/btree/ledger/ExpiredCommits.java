package io.canopygrid.btree.ledger;

import io.canopygrid.btree.subtree.CommitRecords;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops old records, shard by shard. The transaction that drops records also writes the header of
 * the shard's records, from which on names are covered: so a later commit with the name of a record
 * that was dropped is refused, and a look-up is answered that nobody knows. Any number of nodes may
 * do this at the same time, and each may end at any point.
 */
final class ExpiredCommits {
  private static final long TIMEOUT_MILLIS = 10_000;
  private static final int AT_ONCE_MAX = 500;
  private static final Logger LOG = LoggerFactory.getLogger(ExpiredCommits.class);

  private final GmuNode node;
  private final GridTime time;
  private final LedgerLimits limits;

  ExpiredCommits(GmuNode node, GridTime time, LedgerLimits limits) {
    this.node = node;
    this.time = time;
    this.limits = limits;
  }

  /** Drops what is old in the shards that this node is the primary of. */
  void sweep() throws TimeoutException {
    long oldest = oldestKept();
    for (int shard = 0; oldest > 0 && shard < node.shardMap().shards(); shard++) {
      var owners = node.topology().shard(shard).owners();
      if (!owners.isEmpty() && owners.get(0).equals(node.self())) {
        long kcl = CommitRecords.kclIn(node.shardMap(), shard);
        boolean more = node.entries(kcl) > 0;
        while (more) {
          more = dropPage(kcl, CommitKeys.lowestOf(oldest));
        }
      }
    }
  }

  /** The time of the oldest names whose records are kept; 0 or below: all are. */
  private long oldestKept() {
    return time.agreedMillis() - limits.keptMillis();
  }

  /** Drops the oldest records below an end; whether there are more of them. */
  private boolean dropPage(long kcl, byte[] end) throws TimeoutException {
    GmuTransaction transaction =
        node.begin(
            VectorClock.ZERO,
            node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS));
    try {
      CompositeKey headerKey = CompositeKey.header(kcl);
      if (!(transaction.read(new ReadQuery.Get(headerKey)) instanceof ReadAnswer.Got header)) {
        return false;
      }
      byte[] low = lowOf(header);
      if (Arrays.compareUnsigned(low, end) >= 0) {
        return false;
      }
      byte[] from = EntryKeys.ku(low);
      ReadQuery scan = new ReadQuery.Scan(kcl, from, EntryKeys.ku(end), false, AT_ONCE_MAX, false);
      if (!(transaction.read(scan) instanceof ReadAnswer.Scanned page)
          || page.entries().isEmpty()) {
        return false;
      }
      byte[] next = page.complete() ? end : successor(page.entries());
      Outcome outcome =
          transaction.commit(dropping(kcl, header, from, next, page), CommitLedger.LABEL);
      LOG.debug("dropped {} old records of commits: {}", page.entries().size(), outcome);
      return outcome instanceof Outcome.Committed && !page.complete();
    } finally {
      transaction.end();
    }
  }

  private static byte[] lowOf(ReadAnswer.Got header) {
    byte[] value = header.value();
    return value == null ? new byte[0] : SubtreeHeader.decode(value).low();
  }

  /** The lowest key above those of a page. */
  private static byte[] successor(List<ReadAnswer.Entry> entries) {
    return EntryKeys.userKey(KeyRange.successor(entries.get(entries.size() - 1).ku()));
  }

  /** All records from the old lowest name to the new one go, and none has come meanwhile. */
  private Footprint dropping(
      long kcl, ReadAnswer.Got header, byte[] from, byte[] lowest, ReadAnswer.Scanned page) {
    List<KeyRead> found = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    for (ReadAnswer.Entry entry : page.entries()) {
      CompositeKey key = CompositeKey.of(kcl, entry.ku());
      found.add(new KeyRead(key, entry.seen()));
      if (!entry.seen().tombstone()) {
        writes.add(new Write(key, null, null));
      }
    }
    CompositeKey headerKey = CompositeKey.header(kcl);
    writes.addAll(raised(kcl, lowest));
    return new Footprint(
        List.of(new KeyRead(headerKey, header.seen())),
        List.of(new RangeRead(kcl, from, EntryKeys.ku(lowest), found)),
        writes);
  }

  /** The header from now on. */
  private List<Write> raised(long kcl, byte[] lowest) {
    SubtreeHeader header =
        new SubtreeHeader(
            0,
            Integer.MAX_VALUE,
            lowest,
            null,
            kcl,
            SubtreeHeader.NONE,
            SubtreeHeader.NONE,
            null,
            SubtreeHeader.NONE,
            0);
    return List.of(new Write(CompositeKey.header(kcl), header.encode(), null));
  }
}
