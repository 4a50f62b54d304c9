package io.canopygrid.btree.feed;

import io.canopygrid.gmu.ChangeAnswer;
import java.util.ArrayList;
import java.util.List;

/** The part of a shard's commits between two snapshots that is known. Confined to one thread. */
final class KnownShard {
  private final List<ChangeAnswer.Commit> commits = new ArrayList<>();
  private long upTo;
  private boolean whole;

  /** All commits up to this number are known; 0: nothing is. */
  long upTo() {
    return upTo;
  }

  /** Whether all are known. */
  boolean isWhole() {
    return whole;
  }

  List<ChangeAnswer.Commit> commits() {
    return commits;
  }

  void add(ChangeAnswer.Told told) {
    commits.addAll(told.commits());
    upTo = told.knownUpTo();
    whole = told.isLast();
  }
}
