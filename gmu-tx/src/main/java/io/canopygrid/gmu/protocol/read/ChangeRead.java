package io.canopygrid.gmu.protocol.read;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.ChangeAnswer.Change;
import io.canopygrid.gmu.ChangeAnswer.Commit;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.spi.ChangeFilter;
import io.canopygrid.gmu.store.CommitLog;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the commits between two snapshots in a view of a shard (protocol.md, Change feeds).
 * Confined to one thread.
 */
public final class ChangeRead {
  private final ShardView view;
  private final ChangeQuery query;
  private final ChangeFilter filter;
  private final List<Commit> commits = new ArrayList<>();
  private int looked;
  private long bytes;

  /**
   * A read of a view.
   *
   * @param filter the keys whose changes are told
   */
  public ChangeRead(ShardView view, ChangeQuery query, ChangeFilter filter) {
    this.view = view;
    this.query = query;
    this.filter = filter;
  }

  /** The answer. */
  public ChangeAnswer run() {
    if (!isApplied()) {
      return new ChangeAnswer.NotHere();
    }
    if (!isKept(view.horizon(), query.from())) {
      return new ChangeAnswer.TooOld();
    }
    long known = Math.max(query.from().get(view.shard()), query.above());
    long last = query.upTo().get(view.shard());
    CommitLog.View log = view.log();
    for (int i = log.firstNotBelow(query.from()); i < log.size(); i++) {
      CommitLog.Entry entry = log.entry(i);
      long number = entry.sequenceNumber();
      if (number > last) {
        break;
      }
      if (number <= query.above()) {
        continue;
      }
      if (number > known && isFull()) {
        return new ChangeAnswer.Told(commits, known, false);
      }
      known = Math.max(known, number);
      looked++;
      boolean isWanted = !isKnown(entry.clock()) && isShown(entry.clock());
      if (isWanted && !add(entry)) {
        return new ChangeAnswer.TooOld();
      }
    }
    return new ChangeAnswer.Told(commits, Math.max(known, last), true);
  }

  /** Whether nothing that is not at or below this clock was dropped. */
  private static boolean isKept(VectorClock horizon, VectorClock from) {
    return horizon.precedesOrEquals(from);
  }

  /** Whether nothing that the second snapshot shows of this shard can come any more. */
  private boolean isApplied() {
    return view.serves(query.upTo());
  }

  /** Whether the first snapshot shows a commit; its number in this shard alone does not say so. */
  private boolean isKnown(VectorClock clock) {
    return clock.get(view.shard()) <= query.from().get(view.shard())
        && clock.precedesOrEquals(query.from());
  }

  /** Whether the second snapshot shows a commit. */
  private boolean isShown(VectorClock clock) {
    return clock.precedesOrEquals(query.upTo());
  }

  private boolean isFull() {
    return commits.size() >= query.commitsMax()
        || bytes >= query.bytesMax()
        || looked >= query.lookedMax();
  }

  /** False: what it wrote is not there any more. */
  private boolean add(CommitLog.Entry entry) {
    List<Change> changes = new ArrayList<>();
    for (CompositeKey key : entry.keys()) {
      if (filter.wants(key, view.chains())) {
        VersionChain version = version(key, entry);
        if (version == null) {
          return false;
        }
        if (isOwn(version)) {
          addChange(changes, key, version);
        }
      }
    }
    if (!changes.isEmpty()) {
      commits.add(new Commit(entry.tid(), entry.clock(), changes));
    }
    return true;
  }

  /** Whether it is its writer's, and was not carried here, or away, by another transaction. */
  private static boolean isOwn(VersionChain version) {
    return version.writer().equals(version.tid());
  }

  private @Nullable VersionChain version(CompositeKey key, CommitLog.Entry entry) {
    VersionChain version = view.chains().get(key.bytes());
    while (version != null
        && !(version.sequenceNumber() == entry.sequenceNumber()
            && version.tid().equals(entry.tid()))) {
      version = version.older();
    }
    return version;
  }

  private void addChange(List<Change> changes, CompositeKey key, VersionChain version) {
    VersionChain older = version.older();
    boolean isCold = older != null && older.isCold();
    byte[] before = older == null || isCold ? null : older.value();
    byte[] value = version.value();
    if (value != null || before != null || isCold) {
      changes.add(new Change(key, value, before, isCold));
      bytes += key.bytes().length + version.size() + (older == null ? 0 : older.size());
    }
  }
}
