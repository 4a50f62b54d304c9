package io.canopygrid.btree.access.commit;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.names.TableNames;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells the caller in words and facts why a commit was refused, and counts it at the index.
 * Confined to the transaction's thread.
 */
final class AbortReport {
  private final TransactionContext context;
  private final TransactionFootprint<?> footprint;
  private final @Nullable KeyTurn turn;
  private final @Nullable CompositeKey record;

  /**
   * The report of one commit.
   *
   * @param turn is told the key that was lost; null: reads are not remembered
   * @param record the key of the record that the commit leaves; null: none
   */
  AbortReport(
      TransactionContext context,
      TransactionFootprint<?> footprint,
      @Nullable KeyTurn turn,
      @Nullable CompositeKey record) {
    this.context = context;
    this.footprint = footprint;
    this.turn = turn;
    this.record = record;
  }

  /** Whether a key is where the record is that the commit leaves: nothing else of it is there. */
  boolean isRecord(@Nullable CompositeKey key) {
    return record != null && key != null && record.kcl() == key.kcl();
  }

  /** The index of a key, as far as known without a read. */
  IndexRef indexOf(CompositeKey key) {
    return footprint.indexOf(key);
  }

  /** Whether this node knows that the index of a key without a header was dropped. */
  boolean isOfDropped(CompositeKey key, Router router) {
    return !isRecord(key) && router.isDropped(footprint.indexOf(key));
  }

  /**
   * The error of a commit in a subtree that was dropped with its index.
   *
   * @param header the subtree's; null: it has none any more
   */
  CanopyException dropped(CompositeKey key, @Nullable SubtreeHeader header) {
    IndexRef guess = footprint.indexOf(key);
    IndexRef index = header == null ? guess : footprint.numbered(header.index(), guess);
    CanopyException dropped = Failures.dropped(index, context.id());
    CanopyException why =
        footprint.usesTableOf(index) ? Failures.conflict(dropped, context.id()) : dropped;
    index.counters().aborted(why.code());
    return why;
  }

  /** The error of a writer of rows who does not know an index of the table that began meanwhile. */
  CanopyException outdated(CompositeKey schema) {
    IndexRef rows = footprint.indexOf(schema);
    rows.counters().aborted(ErrorCode.WRITE_CONFLICT);
    return new CanopyException(
        ErrorCode.WRITE_CONFLICT,
        "an index of table '"
            + TableNames.tableOf(rows.name())
            + "' began after it was read which"
            + " there are",
        CommitState.NOT_COMMITTED,
        context.id(),
        null,
        Map.of("index", rows.name()));
  }

  /** The error of a commit that was refused for good. */
  CanopyException failure(Outcome.Aborted aborted) {
    String place = describe(aborted.key());
    String other = describeOther(aborted);
    return switch (aborted.reason()) {
      case STALE_READ ->
          failure(
              ErrorCode.WRITE_CONFLICT,
              place + " was written by " + other + " after it was read",
              aborted);
      case LOCK_TIMEOUT ->
          failure(
              ErrorCode.LOCK_TIMEOUT, place + " was locked by " + other + " for too long", aborted);
      case TOO_OLD -> failure(ErrorCode.SNAPSHOT_TOO_OLD, Failures.TOO_OLD, aborted);
      case DISK_FULL ->
          failure(ErrorCode.DISK_FULL, place + " cannot be put: " + aborted.otherLabel(), aborted);
      case DISK_SLOW ->
          failure(
              ErrorCode.DISK_SLOW, place + " cannot be written: " + aborted.otherLabel(), aborted);
      default ->
          failure(ErrorCode.SHARD_UNAVAILABLE, "no owner of " + place + " can be reached", aborted);
    };
  }

  private CanopyException failure(ErrorCode code, String detail, Outcome.Aborted aborted) {
    CompositeKey key = aborted.key();
    if (key != null && !isRecord(key)) {
      footprint.indexOf(key).counters().aborted(code);
      if (code == ErrorCode.WRITE_CONFLICT && !key.isHeader()) {
        lost(key);
      }
    }
    return new CanopyException(
        code, detail, CommitState.NOT_COMMITTED, context.id(), null, facts(aborted));
  }

  /** A refusal has named a key, which is remembered where it was read by itself. */
  private void lost(CompositeKey key) {
    IndexRef reader = footprint.readerOf(key);
    if (reader != null && turn != null) {
      turn.lost(reader, EntryKeys.userKey(key));
    }
  }

  /** Index and key in words, as far as they are known. */
  private String describe(@Nullable CompositeKey key) {
    if (key == null) {
      return "a key";
    }
    if (isRecord(key)) {
      return "the record of the commit";
    }
    IndexRef index = footprint.indexOf(key);
    if (key.isHeader()) {
      return "a subtree of index '" + index.name() + "'";
    }
    byte[] userKey = EntryKeys.userKey(key);
    return "key " + index.textOf(userKey) + " of index '" + index.name() + "'";
  }

  private static String describeOther(Outcome.Aborted aborted) {
    String name =
        aborted.other() == null ? "another transaction" : "transaction " + aborted.other();
    String label = aborted.otherLabel();
    return label == null || label.isEmpty() ? name : name + " '" + label + "'";
  }

  private static boolean namesDisk(AbortReason reason) {
    return reason == AbortReason.DISK_FULL || reason == AbortReason.DISK_SLOW;
  }

  /** The parts of a refusal for programs, as {@link CanopyException#facts}. */
  private Map<String, String> facts(Outcome.Aborted aborted) {
    Map<String, String> facts = new TreeMap<>();
    CompositeKey key = aborted.key();
    if (key != null && !isRecord(key)) {
      IndexRef index = footprint.indexOf(key);
      facts.put("index", index.name());
      if (!key.isHeader()) {
        facts.put("key", index.textOf(EntryKeys.userKey(key)));
      }
    }
    String other = namesDisk(aborted.reason()) ? null : aborted.otherLabel();
    if (other != null && !other.isEmpty()) {
      facts.put("other", other);
    }
    return facts;
  }
}
