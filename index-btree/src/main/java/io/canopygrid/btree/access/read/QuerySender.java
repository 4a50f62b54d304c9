package io.canopygrid.btree.access.read;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.load.LoadRecorder;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.explain.Explanation;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the queries of one transaction, counts those that go to other nodes, and tells what the
 * transaction uses. Confined to the transaction's thread.
 */
class QuerySender {
  final Router router;
  final TransactionContext context;
  final GmuTransaction transaction;
  private final OwnUse use;

  QuerySender(Router router, GmuTransaction transaction, TransactionContext context, OwnUse use) {
    this.router = router;
    this.transaction = transaction;
    this.context = context;
    this.use = use;
  }

  /** The answer to one query. */
  public final ReadAnswer ask(IndexRef index, ReadQuery query) throws TimeoutException {
    context.checkTime();
    Explanation explanation = context.explanation();
    if (explanation == null) {
      return answer(index, query);
    }
    long beganNanos = explanation.now();
    long asked = transaction.asked();
    ReadAnswer answer = null;
    try {
      answer = answer(index, query);
      return answer;
    } finally {
      boolean waited = transaction.asked() > asked;
      new ReadSteps(explanation, router, index).add(query, answer, waited, beganNanos);
    }
  }

  private ReadAnswer answer(IndexRef index, ReadQuery query) throws TimeoutException {
    long asked = transaction.asked();
    ReadAnswer answer = transaction.read(query);
    if (transaction.asked() > asked) {
      tellUse(query.kcl(), answer);
      if (router.isRemote(query.kcl())) {
        index.counters().requested();
        context.countRemoteRequests(1);
      }
    } else if (use.isHeard() && !router.isRemote(query.kcl())) {
      tellUse(query.kcl(), answer);
    }
    return answer;
  }

  /** The answer where this node has it at hand; null, and nothing is asked: it has not. */
  final @Nullable ReadAnswer askAtHand(IndexRef index, ReadQuery query) throws TimeoutException {
    context.checkTime();
    Explanation explanation = context.explanation();
    long beganNanos = explanation == null ? 0 : explanation.now();
    ReadAnswer answer = transaction.readAtHand(query);
    if (explanation != null && answer != null) {
      new ReadSteps(explanation, router, index).add(query, answer, false, beganNanos);
    }
    if (answer != null && use.isHeard() && !router.isRemote(query.kcl())) {
      tellUse(query.kcl(), answer);
    }
    return answer;
  }

  /** The answers to queries of subtrees elsewhere; other nodes are asked at the same time. */
  final List<ReadAnswer> askAll(IndexRef index, List<? extends ReadQuery> queries)
      throws TimeoutException {
    context.checkTime();
    Explanation explanation = context.explanation();
    long beganNanos = explanation == null ? 0 : explanation.now();
    List<Integer> asked = new ArrayList<>();
    List<ReadAnswer> answers = transaction.readAll(List.copyOf(queries), asked::add);
    if (explanation != null) {
      new ReadSteps(explanation, router, index).addAll(queries, answers, beganNanos);
    }
    for (int query : asked) {
      index.counters().requested();
      context.countRemoteRequests(1);
      tellUse(queries.get(query).kcl(), answers.get(query));
    }
    return answers;
  }

  /** The answers to queries that were asked ahead; the transaction waits for them. */
  final List<@Nullable ReadAnswer> take(
      IndexRef index, GmuTransaction.Ahead ahead, List<RangePart> parts) throws TimeoutException {
    Explanation explanation = context.explanation();
    long beganNanos = explanation == null ? 0 : explanation.now();
    List<@Nullable ReadAnswer> answers = ahead.take();
    if (explanation != null) {
      new ReadSteps(explanation, router, index).addAwaited(parts, answers, beganNanos);
    }
    return answers;
  }

  /** Asks other nodes, and does not wait; null: this node can answer itself. */
  final GmuTransaction.@Nullable Ahead askAhead(IndexRef index, List<ReadQuery> queries)
      throws TimeoutException {
    context.checkTime();
    GmuTransaction.Ahead ahead = transaction.askAhead(queries);
    if (ahead != null) {
      queries.forEach(query -> index.counters().requested());
      context.countRemoteRequests(queries.size());
    }
    return ahead;
  }

  /** A subtree's primary has answered; a backup's answer is not told. */
  final void tellUse(long kcl, ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Got) {
      use.read(kcl, 1);
    } else if (answer instanceof ReadAnswer.Scanned page) {
      use.read(kcl, LoadRecorder.ofPage(page.entries().size()));
    } else if (answer instanceof ReadAnswer.Counted counted) {
      use.read(kcl, LoadRecorder.ofCount(counted.entries()));
    }
  }
}
