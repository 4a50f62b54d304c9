package io.canopygrid.btree.serve;

import io.canopygrid.btree.explain.ExplainedReader;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.gmu.node.GmuNode;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.UnaryOperator;

/**
 * The questions that servers ask each other by their nodes, in bytes of their own. A node without a
 * server answers with none. Thread-safe.
 */
public final class ServerTalk {
  private static final byte[] NOTHING = {};

  private final GridAnswers answers;
  private final ExplainedReader applications;
  private volatile UnaryOperator<byte[]> explained = question -> NOTHING;
  private volatile UnaryOperator<byte[]> jobs = question -> NOTHING;

  /** The talk of a node's server, which answers nothing yet. */
  public ServerTalk(GmuNode node, NodeQuestions questions, ExplainedReader applications) {
    this.applications = applications;
    this.answers = new GridAnswers(node, questions);
    questions.serve(
        NodeQuestions.Kind.EXPLAINED,
        (question, answer) ->
            ForkJoinPool.commonPool().execute(() -> answer.accept(explained.apply(question))));
    questions.serve(
        NodeQuestions.Kind.JOBS, (question, answer) -> answer.accept(jobs.apply(question)));
  }

  /** From now on this answers what servers ask about explained transactions of this node. */
  public void explainsBy(UnaryOperator<byte[]> answer) {
    explained = answer;
  }

  /** The answers of all other members that answer in a bounded time to such a question. */
  public List<byte[]> explainedElsewhere(byte[] question) {
    return answers.ofAll(NodeQuestions.Kind.EXPLAINED, question).answers();
  }

  /** The recorded transactions of applications at their own nodes, with a server or without. */
  public ExplainedReader ofApplications() {
    return applications;
  }

  /** From now on this answers what servers ask about jobs, and does not block. */
  public void jobsBy(UnaryOperator<byte[]> answer) {
    jobs = answer;
  }

  /** The answers of all other members that answer in a bounded time to such a question. */
  public List<byte[]> jobsElsewhere(byte[] question) {
    return answers.ofAll(NodeQuestions.Kind.JOBS, question).answers().stream()
        .filter(answer -> answer.length > 0)
        .toList();
  }
}
