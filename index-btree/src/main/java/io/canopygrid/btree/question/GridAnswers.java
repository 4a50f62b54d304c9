package io.canopygrid.btree.question;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks other nodes the same question. Thread-safe. */
public final class GridAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(GridAnswers.class);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final GmuNode node;
  private final NodeQuestions questions;
  private final long patienceNanos;

  /** The answers to one node, of those that answer in {@code 2 s}. */
  public GridAnswers(GmuNode node, NodeQuestions questions) {
    this(node, questions, PATIENCE_NANOS);
  }

  /** The answers to one node, of those that answer in so long. */
  public GridAnswers(GmuNode node, NodeQuestions questions, long patienceNanos) {
    this.node = node;
    this.questions = questions;
    this.patienceNanos = patienceNanos;
  }

  /**
   * The answers that came in time.
   *
   * @param silent how many members have not answered
   */
  public record Told(List<byte[]> answers, int silent) {}

  /** The answers of all other members that answer in time. */
  public Told ofAll(NodeQuestions.Kind kind, byte[] question) {
    Set<NodeId> others = new LinkedHashSet<>(node.topology().members());
    others.remove(node.self());
    List<byte[]> told = List.copyOf(of(others, kind, question).values());
    return new Told(told, others.size() - told.size());
  }

  /** The answers of those of these nodes that answer in time, in their order. */
  public Map<NodeId, byte[]> of(Set<NodeId> nodes, NodeQuestions.Kind kind, byte[] question) {
    Map<NodeId, CompletableFuture<byte[]>> asked = new LinkedHashMap<>();
    nodes.forEach(to -> asked.put(to, questions.ask(to, kind, question)));
    long deadlineNanos = System.nanoTime() + patienceNanos;
    Map<NodeId, byte[]> answers = new LinkedHashMap<>();
    try {
      for (Map.Entry<NodeId, CompletableFuture<byte[]>> each : asked.entrySet()) {
        byte[] told = told(each.getValue(), deadlineNanos);
        if (told != null) {
          answers.put(each.getKey(), told);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      asked.values().forEach(answer -> answer.cancel(false));
    }
    return answers;
  }

  /** Null: the member does not answer. */
  private static byte @Nullable [] told(CompletableFuture<byte[]> answer, long deadlineNanos)
      throws InterruptedException {
    try {
      long left = Math.max(0, deadlineNanos - System.nanoTime());
      return answer.get(left, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("a member did not answer: {}", e.toString());
      return null;
    }
  }
}
