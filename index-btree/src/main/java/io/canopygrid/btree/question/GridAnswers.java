package io.canopygrid.btree.question;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks all other members the same question. Thread-safe. */
public final class GridAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(GridAnswers.class);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final GmuNode node;
  private final NodeQuestions questions;

  /** The answers to one node. */
  public GridAnswers(GmuNode node, NodeQuestions questions) {
    this.node = node;
    this.questions = questions;
  }

  /**
   * The answers that came in time.
   *
   * @param silent how many members have not answered
   */
  public record Told(List<byte[]> answers, int silent) {}

  /** The answers of all other members that answer in {@code 2 s}. */
  public Told ofAll(NodeQuestions.Kind kind, byte[] question) {
    List<CompletableFuture<byte[]>> asked = new ArrayList<>();
    for (NodeId member : node.topology().members()) {
      if (!member.equals(node.self())) {
        asked.add(questions.ask(member, kind, question));
      }
    }
    long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
    List<byte[]> answers = new ArrayList<>();
    try {
      for (CompletableFuture<byte[]> answer : asked) {
        byte[] told = told(answer, deadlineNanos);
        if (told != null) {
          answers.add(told);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      asked.forEach(answer -> answer.cancel(false));
    }
    return new Told(answers, asked.size() - answers.size());
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
