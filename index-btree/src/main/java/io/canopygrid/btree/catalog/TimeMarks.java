package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.store.VersionChain;
import io.canopygrid.names.SnapshotNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * States of the past, kept for a while: pins in TOP that have the time at which they were taken for
 * a name (docs/protocol.md, Time travel). Later marks have later times and show all that earlier
 * ones show. Thread-safe.
 */
public final class TimeMarks {
  private static final byte[] FIRST = {Pin.MARK};
  private static final byte[] END = {Pin.MARK + 1};
  private static final int HEXADECIMAL = 16;

  /** The most marks that one transaction drops. */
  private static final int DROPPED_MAX = 64;

  /** A time that is further ahead was not meant; clocks differ by less. */
  private static final long AHEAD_MILLIS_MAX = TimeUnit.HOURS.toMillis(1);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final GmuNode node;
  private final Catalog catalog;
  private final LongSupplier wallMillis;

  /**
   * The marks as one node sees them.
   *
   * @param wallMillis the time since 1970
   */
  public TimeMarks(GmuNode node, Catalog catalog, LongSupplier wallMillis) {
    this.node = node;
    this.catalog = catalog;
    this.wallMillis = wallMillis;
  }

  private static CompositeKey key(long millis) {
    return Pin.key(String.format(Locale.ROOT, "%c%016x", (char) Pin.MARK, millis));
  }

  private static long millisOf(byte[] ku) {
    String name = Pin.name(ku);
    return Long.parseLong(name, 1, name.length(), HEXADECIMAL);
  }

  /** The times of all marks in their order, by this node's copy of TOP, which may lag behind. */
  public List<Long> times() {
    List<Long> times = new ArrayList<>();
    OrderedCursor<VersionChain> cursor = node.top().ascending(ReservedKcl.PINS.key(FIRST).bytes());
    while (cursor.next()) {
      CompositeKey key = CompositeKey.ofBytes(cursor.key());
      if (!ReservedKcl.PINS.has(key) || !Pin.isMark(key.ku())) {
        break;
      }
      if (cursor.value().value() != null) {
        times.add(millisOf(key.ku()));
      }
    }
    return times;
  }

  /**
   * Marks the present, and drops some of the marks that nobody needs any more: those behind which
   * there is another one that is old enough.
   *
   * @param retentionMillis how old that is
   */
  public void mark(long retentionMillis) {
    catalog.in(transaction -> {
      Pin pin = taken(transaction);
      Page newest = page(transaction, FIRST, END, true, 1);
      byte[] last = newest.last();
      long now = later(pin.createdMillis(), last);
      Changes changes = new Changes();
      requireNewest(changes, newest);
      changes.writes.add(new Write(key(now), new Pin(pin.clock(), now).encode(), null));
      drop(transaction, now - retentionMillis, changes);
      return changes.commit(transaction) ? true : null;
    });
  }

  /** The present, with a time that is after all of it: of a millisecond that has begun, its end. */
  private Pin taken(GmuTransaction transaction) throws TimeoutException {
    Catalog.seeAll(transaction);
    return new Pin(transaction.clock(), wallMillis.getAsLong() + 1);
  }

  /** A clock that was set back must not bring the marks out of order. */
  private static long later(long millis, byte @Nullable [] last) {
    return last == null ? millis : Math.max(millis, millisOf(last) + 1);
  }

  /** Nobody else has made a mark behind the newest one. */
  private static void requireNewest(Changes changes, Page newest) {
    byte[] last = newest.last();
    byte[] from = last == null ? FIRST : last;
    changes.ranges.add(new RangeRead(ReservedKcl.PINS.kcl(), from, END, newest.reads()));
  }

  /** Drops some of all marks; whether there may be more. */
  public boolean dropSome() {
    return catalog
        .in(transaction -> {
          Changes changes = new Changes();
          drop(transaction, Long.MAX_VALUE, changes);
          if (changes.writes.isEmpty()) {
            return Optional.of(false);
          }
          return changes.commit(transaction) ? Optional.of(true) : null;
        })
        .get();
  }

  /** Drops the oldest marks, of which each is followed by one that is not younger than a time. */
  private static void drop(GmuTransaction transaction, long untilMillis, Changes changes)
      throws TimeoutException {
    Page oldest = page(transaction, FIRST, END, false, DROPPED_MAX + 1);
    List<ReadAnswer.Entry> live = oldest.live();
    for (int i = 0; i < live.size(); i++) {
      boolean isLast = i + 1 == live.size();
      long next = isLast ? Long.MAX_VALUE : millisOf(live.get(i + 1).ku());
      if (isNeeded(next, untilMillis)) {
        return;
      }
      CompositeKey key = ReservedKcl.PINS.key(live.get(i).ku());
      changes.reads.add(new KeyRead(key, live.get(i).seen()));
      changes.writes.add(new Write(key, null, null));
    }
  }

  /**
   * Whether the state of a time that is still kept may be that of a mark.
   *
   * @param nextMillis the time of the mark behind it
   * @param untilMillis the oldest time that is kept
   */
  private static boolean isNeeded(long nextMillis, long untilMillis) {
    return nextMillis > untilMillis;
  }

  /**
   * The newest mark at or before a time. It is told only when there is a later one, so that all
   * nodes find the same; until then this waits.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_SNAPSHOT}, {@link ErrorCode#TIMEOUT}; {@link
   *     ErrorCode#INVALID_ARGUMENT} for a time that is far ahead of this node's clock
   */
  public NamedSnapshots.Taken find(long millis, long deadlineNanos) {
    long nowMillis = wallMillis.getAsLong();
    if (millis - nowMillis > AHEAD_MILLIS_MAX) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          ("the time is more than an hour ahead: " + Instant.ofEpochMilli(millis))
              + (", and here it is " + Instant.ofEpochMilli(nowMillis)));
    }
    while (true) {
      Optional<NamedSnapshots.Taken> found = catalog.in(transaction -> look(transaction, millis));
      if (found.isPresent()) {
        return found.get();
      }
      if (deadlineNanos - node.threads().nanoTime() <= 0) {
        throw new CanopyException(
            ErrorCode.TIMEOUT,
            "no state of " + Instant.ofEpochMilli(millis) + " was kept until now");
      }
      node.threads().sleep(POLL_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        throw new CanopyException(
            ErrorCode.INTERRUPTED, "the thread was interrupted while it waited for a state");
      }
    }
  }

  private static Optional<NamedSnapshots.Taken> look(GmuTransaction transaction, long millis)
      throws TimeoutException {
    byte[] behind = key(millis + 1).ku();
    byte[] later = page(transaction, behind, END, false, 1).last();
    Page before = page(transaction, FIRST, behind, true, 1);
    byte[] mark = before.last();
    if (mark == null) {
      throw new CanopyException(
          ErrorCode.UNKNOWN_SNAPSHOT,
          "no state of "
              + Instant.ofEpochMilli(millis)
              + " is kept: "
              + (later == null
                  ? "cluster.retention is 0, or nothing was kept yet"
                  : "the oldest one is of " + Instant.ofEpochMilli(millisOf(later))));
    }
    if (!isSettled(later)) {
      return Optional.empty();
    }
    CompositeKey key = ReservedKcl.PINS.key(mark);
    byte[] value = Catalog.get(transaction, key).value();
    if (value == null) {
      throw SnapshotNames.unknown(SnapshotNames.ofTime(millis));
    }
    return Optional.of(
        new NamedSnapshots.Taken(
            Pin.decode(value).clock(), SnapshotNames.ofTime(millisOf(mark)), key));
  }

  /** No mark comes before one that is there. */
  private static boolean isSettled(byte @Nullable [] later) {
    return later != null;
  }

  /** Entries in the order asked for, tombstones included, without their values. */
  private record Page(List<ReadAnswer.Entry> entries) {
    List<ReadAnswer.Entry> live() {
      return entries.stream().filter(entry -> !entry.seen().tombstone()).toList();
    }

    /** The last one that is there; null: none is. */
    byte @Nullable [] last() {
      List<ReadAnswer.Entry> live = live();
      return live.isEmpty() ? null : live.get(live.size() - 1).ku();
    }

    /** For a commit to validate, in ascending order where they were read the other way. */
    List<KeyRead> reads() {
      List<KeyRead> reads = new ArrayList<>();
      for (ReadAnswer.Entry entry : entries) {
        reads.add(0, new KeyRead(ReservedKcl.PINS.key(entry.ku()), entry.seen()));
      }
      return reads;
    }
  }

  /** Some entries of a range: so many that are there, or all. */
  private static Page page(
      GmuTransaction transaction, byte[] from, byte[] to, boolean reverse, int live)
      throws TimeoutException {
    List<ReadAnswer.Entry> entries = new ArrayList<>();
    byte[] first = from;
    byte[] end = to;
    while (true) {
      ReadAnswer answer =
          transaction.read(
              new ReadQuery.Scan(ReservedKcl.PINS.kcl(), first, end, reverse, live, false));
      if (!(answer instanceof ReadAnswer.Scanned scanned)) {
        throw Failures.unanswered(answer, null);
      }
      entries.addAll(scanned.entries());
      Page page = new Page(List.copyOf(entries));
      if (scanned.complete() || page.last() != null) {
        return page;
      }
      // Tombstones alone have filled the answer.
      byte[] last = entries.get(entries.size() - 1).ku();
      first = reverse ? first : KeyRange.successor(last);
      end = reverse ? last : end;
    }
  }

  /** A footprint that grows. */
  private static final class Changes {
    final List<KeyRead> reads = new ArrayList<>();
    final List<RangeRead> ranges = new ArrayList<>();
    final List<Write> writes = new ArrayList<>();

    boolean commit(GmuTransaction transaction) {
      return Pins.commit(transaction, new Footprint(reads, ranges, writes));
    }
  }
}
