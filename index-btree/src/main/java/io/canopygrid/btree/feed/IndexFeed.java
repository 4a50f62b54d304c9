package io.canopygrid.btree.feed;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.FeedCommit;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A feed at a node: tells the changes from snapshot to snapshot, and holds the horizon at the one
 * before the last poll, or below it, by a transaction that does nothing else. So what was returned
 * last can be read again until the next poll, by this feed or by another one.
 */
public final class IndexFeed implements ServedFeed {
  private static final Comparator<FeedCommit.Changed> BY_KEY =
      (a, b) -> Arrays.compareUnsigned(a.key(), b.key());

  private final FeedNode node;
  private final IndexRef index;
  private final KeyRange range;
  private GmuTransaction hold;
  private VectorClock told;

  /** The position before the last poll. */
  private VectorClock before;

  /** The hold of that position, if it is not {@link #hold}. */
  private @Nullable GmuTransaction holdBefore;

  /** A feed of all that a transaction does not see, which becomes the feed's own. */
  IndexFeed(FeedNode node, IndexRef index, KeyRange range, GmuTransaction hold) {
    this.node = node;
    this.index = index;
    this.range = range;
    this.hold = hold;
    this.told = hold.clock();
    this.before = told;
  }

  @Override
  public List<FeedCommit> poll() {
    node.requireCurrent(index);
    try {
      return step();
    } catch (CanopyException e) {
      if (e.code() == ErrorCode.CHANGES_LOST) {
        hold.end(); // it keeps nothing that anybody could be told
      }
      throw e;
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  private List<FeedCommit> step() {
    VectorClock upTo = present();
    if (upTo.equals(told)) {
      GmuTransaction again = node.holdAt(index, told);
      leaveBefore();
      holdBy(again);
      return List.of();
    }
    FeedCut cut = node.reader().read(index.number(), range, told, upTo);
    List<FeedCommit> commits = commits(cut.commits());
    // The horizon is held at the old position until it is held at the new one.
    GmuTransaction next = node.holdAt(index, cut.upTo());
    leaveBefore();
    told = cut.upTo();
    holdBy(next);
    return commits;
  }

  /** A clock of the present, at or above the position. */
  private VectorClock present() {
    GmuTransaction now = node.begin(told);
    try {
      return now.clock();
    } finally {
      now.end();
    }
  }

  private void holdBy(GmuTransaction next) {
    holdBefore = hold;
    hold = next;
  }

  /** The present position is the one before the poll that ends now. */
  private void leaveBefore() {
    endHoldBefore();
    before = told;
  }

  private void endHoldBefore() {
    GmuTransaction old = holdBefore;
    holdBefore = null;
    if (old != null) {
      old.end();
    }
  }

  @Override
  public boolean goTo(VectorClock clock) {
    if (clock.equals(told)) {
      return true;
    }
    if (!clock.equals(before)) {
      return false;
    }
    GmuTransaction old = holdBefore;
    holdBefore = null;
    told = before;
    if (old != null) {
      hold.end();
      hold = old;
    }
    return true;
  }

  private List<FeedCommit> commits(List<ChangeAnswer.Commit> commits) {
    Map<CompositeKey, byte[]> cold = coldValues(commits);
    List<FeedCommit> told = new ArrayList<>();
    for (ChangeAnswer.Commit commit : commits) {
      List<FeedCommit.Changed> changes = new ArrayList<>();
      for (ChangeAnswer.Change change : commit.changes()) {
        byte[] before = change.isBeforeCold() ? cold.get(change.key()) : change.before();
        changes.add(
            new FeedCommit.Changed(EntryKeys.userKey(change.key()), before, change.value()));
      }
      changes.sort(BY_KEY);
      told.add(new FeedCommit(changes));
    }
    return told;
  }

  /** The values that were replaced and are on disks only: those of the snapshot told last. */
  private Map<CompositeKey, byte[]> coldValues(List<ChangeAnswer.Commit> commits) {
    List<ReadQuery> queries = new ArrayList<>();
    for (ChangeAnswer.Commit commit : commits) {
      for (ChangeAnswer.Change change : commit.changes()) {
        if (change.isBeforeCold()) {
          queries.add(new ReadQuery.Get(change.key()));
        }
      }
    }
    Map<CompositeKey, byte[]> values = new HashMap<>();
    if (!queries.isEmpty()) {
      read(queries, values);
    }
    return values;
  }

  private void read(List<ReadQuery> queries, Map<CompositeKey, byte[]> values) {
    GmuTransaction reading = node.beginAt(told);
    try {
      List<ReadAnswer> answers = reading.readAll(queries, query -> {});
      for (int i = 0; i < answers.size(); i++) {
        CompositeKey key = ((ReadQuery.Get) queries.get(i)).key();
        values.put(key, value(answers.get(i)));
      }
    } catch (TimeoutException e) {
      throw Failures.timeout(null, e);
    } finally {
      reading.end();
    }
  }

  private static byte[] value(ReadAnswer answer) {
    if (answer instanceof ReadAnswer.TooOld) {
      throw FeedReader.lost();
    }
    byte @Nullable [] value = answer instanceof ReadAnswer.Got got ? got.value() : null;
    if (value == null) {
      throw answer instanceof ReadAnswer.Unavailable
          ? Failures.unanswered(answer, null)
          : new CanopyException(
              ErrorCode.INTERNAL_ERROR, "a value on the disk is not in its snapshot: " + answer);
    }
    return value;
  }

  @Override
  public int index() {
    return index.number();
  }

  @Override
  public CausalToken position() {
    return node.token(told);
  }

  @Override
  public void close() {
    endHoldBefore();
    hold.end();
  }
}
