package io.canopygrid.btree.access.read;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.explain.ExplainedStep.At;
import io.canopygrid.explain.Explanation;
import io.canopygrid.explain.StepKind;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records reads as steps of the transaction that makes them. Confined to its thread. */
final class ReadSteps {
  private final Explanation explanation;
  private final Router router;
  private final IndexRef index;

  ReadSteps(Explanation explanation, Router router, IndexRef index) {
    this.explanation = explanation;
    this.router = router;
    this.index = index;
  }

  /**
   * A read that ends now.
   *
   * @param answer null: it has failed
   * @param waited whether this node did not have the answer at once
   */
  void add(ReadQuery query, @Nullable ReadAnswer answer, boolean waited, long beganNanos) {
    boolean remote = waited && router.isRemote(query.kcl());
    StepKind kind = remote ? StepKind.REMOTE : waited ? StepKind.WAIT : StepKind.LOCAL;
    boolean unclear = kind == StepKind.WAIT && !isInTurn(query);
    String why = unclear ? ", not at hand: behind a commit, turns of others or the disk" : "";
    add(kind, query, answer, why, remote, beganNanos);
  }

  /** Reads that were asked of other nodes at the same time, whose answers are all there now. */
  void addAll(
      List<? extends ReadQuery> queries, List<? extends @Nullable ReadAnswer> answers, long began) {
    long now = explanation.now();
    int rows = 0;
    for (ReadAnswer answer : answers) {
      rows += (int) Math.max(0, rowsOf(answer));
    }
    At all = new At(index.name(), -1, "", rows);
    explanation.add(StepKind.REMOTE, "asked " + queries.size() + " parts at once", all, began, now);
    for (int i = 0; i < queries.size(); i++) {
      ReadQuery query = queries.get(i);
      ReadAnswer answer = answers.get(i);
      At at = at(query, answer, true);
      explanation.addPart(StepKind.REMOTE, words(query, answer), at, began, now);
    }
  }

  /** Parts that were asked for before they were needed, of which the first is needed now. */
  void addAwaited(
      List<RangePart> parts, List<? extends @Nullable ReadAnswer> answers, long beganNanos) {
    long kcl = parts.get(0).kcl();
    int rows = 0;
    for (ReadAnswer answer : answers) {
      rows += (int) Math.max(0, rowsOf(answer));
    }
    String what =
        parts.size() == 1
            ? "waited for a part of a range that was asked for ahead"
            : "waited for " + parts.size() + " parts of a range that were asked for ahead";
    String node = parts.size() == 1 ? router.primaryOf(kcl) : "";
    int shard = parts.size() == 1 ? router.shardOf(kcl) : -1;
    explanation.add(StepKind.REMOTE, what, new At(index.name(), shard, node, rows), beganNanos);
  }

  private void add(
      StepKind kind,
      ReadQuery query,
      @Nullable ReadAnswer answer,
      String why,
      boolean remote,
      long beganNanos) {
    explanation.add(kind, words(query, answer) + why, at(query, answer, remote), beganNanos);
  }

  private At at(ReadQuery query, @Nullable ReadAnswer answer, boolean remote) {
    int shard = router.shardOf(query.kcl());
    String node = remote ? router.primaryOf(query.kcl()) : "";
    return new At(index.name(), shard, node, rowsOf(answer));
  }

  private static String words(ReadQuery query, @Nullable ReadAnswer answer) {
    String read =
        query instanceof ReadQuery.Get
            ? isInTurn(query) ? "read a key in its turn" : "read a key"
            : answer instanceof ReadAnswer.Counted ? "counted a part" : "read a part of a range";
    if (answer instanceof ReadAnswer.Redirected) {
      return read + ": it is elsewhere, asks there";
    }
    if (answer instanceof ReadAnswer.TooOld) {
      return read + ": its snapshot is too old";
    }
    if (answer instanceof ReadAnswer.Unavailable) {
      return read + ": no owner can be reached";
    }
    return answer == null ? read + ": no answer" : read;
  }

  private static boolean isInTurn(ReadQuery query) {
    return query instanceof ReadQuery.Get get && get.turn() == ReadQuery.Turn.OWN;
  }

  /** Negative: it has found nothing that can be counted. */
  private static long rowsOf(@Nullable ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Got got) {
      return got.value() == null ? 0 : 1;
    }
    if (answer instanceof ReadAnswer.Scanned page) {
      return page.entries().stream().filter(entry -> entry.value() != null).count();
    }
    return answer instanceof ReadAnswer.Counted counted ? counted.entries() : -1;
  }
}
