package io.canopygrid.gmu.protocol.read;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.CommitLog;
import io.canopygrid.gmu.store.VersionChain;
import org.jspecify.annotations.Nullable;

/**
 * One node's copy of a shard at one moment, with whole commits only: what readers work on, in the
 * protocol lock and outside. Immutable, but for what it remembers of its own content.
 *
 * @param topology the topology in which it was published
 * @param serving whether this node is the shard's primary and serves
 * @param completeUpTo up to this number no commit is missing; no limit at the serving primary
 * @param horizon what is below it may be gone
 * @param headerCache headers that were looked up in {@code chains}
 */
public record ShardView(
    int shard,
    long topology,
    boolean serving,
    long completeUpTo,
    OrderedView<VersionChain> chains,
    CommitLog.View log,
    VectorClock horizon,
    HeaderCache headerCache) {

  /** A view of which nothing was read yet. */
  public ShardView(
      int shard,
      long topology,
      boolean serving,
      long completeUpTo,
      OrderedView<VersionChain> chains,
      CommitLog.View log,
      VectorClock horizon) {
    this(shard, topology, serving, completeUpTo, chains, log, horizon, new HeaderCache());
  }

  /** Whether a snapshot can be read here now (protocol.md, Read, step 1). */
  public boolean serves(VectorClock snapshot) {
    return serving && log.applied() >= snapshot.get(shard);
  }

  /** Whether a snapshot can be read here, at the primary or not. */
  boolean isComplete(VectorClock snapshot) {
    return serves(snapshot) || (completeUpTo > 0 && completeUpTo >= snapshot.get(shard));
  }

  /**
   * Reads in a snapshot (protocol.md, Read, steps 2 and 3).
   *
   * @param whole whether the whole clock of the snapshot is given; else it is known to be above the
   *     horizon (Clocks in messages)
   * @param values those that it may show; null is returned where some are missing
   */
  public @Nullable LocalRead read(
      ReadQuery query,
      VectorClock snapshot,
      ShardSet hasRead,
      boolean whole,
      ReadContext context,
      ColdValues values) {
    if (whole && !horizon.precedesOrEquals(snapshot)) {
      return new LocalRead(shard, snapshot, new ReadAnswer.TooOld());
    }
    VectorClock clock = hasRead.contains(shard) ? snapshot : fixed(query, snapshot, hasRead);
    Shown shown = new Shown(clock, tested(hasRead), values);
    ReadAnswer answer = answer(query, shown, context);
    if (values.isMissing()) {
      return null;
    }
    if (serving) {
      context.traffic().answered(query, answer);
    }
    return new LocalRead(shard, joined(clock, shown.clocks()), answer);
  }

  /**
   * A snapshot's clock after its first read here, but for the clocks of what it is shown (Read,
   * step 2). A header is read with all that is visible: who takes a named snapshot reads those.
   */
  private VectorClock fixed(ReadQuery query, VectorClock snapshot, ShardSet hasRead) {
    long upTo = serving ? Long.MAX_VALUE : completeUpTo;
    if (query instanceof ReadQuery.Get get && get.key().isHeader()) {
      return log.extend(snapshot, hasRead, upTo);
    }
    long number = log.newest(upTo);
    return number > snapshot.get(shard) ? snapshot.with(shard, number) : snapshot;
  }

  /** The clock of a snapshot that was shown versions: their clocks are joined to it. */
  static VectorClock joined(VectorClock snapshot, VectorClock shown) {
    return snapshot.join(shown);
  }

  /** The shards on which a version is tested: all that were read, with this one (Read, step 3). */
  ShardSet tested(ShardSet hasRead) {
    return hasRead.with(shard);
  }

  /** As {@link #read}, at the primary or not; null: that is for the primary to say. */
  public @Nullable LocalRead readNearest(
      ReadQuery query,
      VectorClock snapshot,
      ShardSet hasRead,
      ReadContext context,
      ColdValues values) {
    if (!isComplete(snapshot)) {
      return null;
    }
    LocalRead read = read(query, snapshot, hasRead, true, context, values);
    return read != null && (serving || backupTells(read.answer())) ? read : null;
  }

  /**
   * Whether a backup may give an answer (Reads at backups): that a kcl has no header is for its
   * primary to say. A backup may not have been told yet, and knows nothing then of where the kcl's
   * keys were before. Where it has a later header than it may show, that one tells: it came from
   * the same kcl as the first.
   */
  static boolean backupTells(ReadAnswer answer) {
    return !(answer instanceof ReadAnswer.Redirected redirect) || redirect.header().length > 0;
  }

  private ReadAnswer answer(ReadQuery query, Shown shown, ReadContext context) {
    if (query instanceof ReadQuery.Get get && get.key().isHeader()) {
      return get(get.key(), shown);
    }
    VersionChain headers = headers(query.kcl());
    VersionChain visible = headers == null ? null : shown.newestOf(headers);
    byte[] header = visible == null ? null : visible.newestValue();
    if (headers != null && visible == null) {
      byte[] first = headers.oldest().value();
      return new ReadAnswer.Redirected(first == null ? new byte[0] : first, true);
    }
    if (header == null && context.fences().needsHeader(query.kcl())) {
      return new ReadAnswer.Redirected(new byte[0], true);
    }
    if (query instanceof ReadQuery.Get get) {
      return header == null || context.fences().covers(header, get.key().ku())
          ? get(get.key(), shown)
          : new ReadAnswer.Redirected(header, false);
    }
    if (query instanceof ReadQuery.Count count) {
      return RangeCount.run(count, header, context.fences(), chains, shown);
    }
    return new Scan(shard, (ReadQuery.Scan) query, header, context).run(chains, shown);
  }

  /** The versions of a kcl's header; null: it has none. */
  private @Nullable VersionChain headers(long kcl) {
    HeaderCache.Found found = headerCache.get(kcl);
    if (found == null) {
      found = new HeaderCache.Found(kcl, chains.get(CompositeKey.header(kcl).bytes()));
      headerCache.put(found);
    }
    return found.versions();
  }

  private ReadAnswer get(CompositeKey key, Shown shown) {
    VersionChain chain = chains.get(key.bytes());
    VersionChain visible = chain == null ? null : shown.newestOf(chain);
    return visible == null
        ? new ReadAnswer.Got(null, Seen.ABSENT)
        : new ReadAnswer.Got(shown.value(shard, key.bytes(), visible), visible.seen());
  }

  /** Whether the view could be this one's predecessor. */
  public boolean follows(@Nullable ShardView before) {
    return before == null || (topology >= before.topology && log.applied() >= before.log.applied());
  }
}
