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

  /** The answers of all other members; null where one has not answered in {@code 2 s}. */
  public @Nullable List<byte[]> ofAll(NodeQuestions.Kind kind, byte[] question) {
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
        long left = Math.max(0, deadlineNanos - System.nanoTime());
        answers.add(answer.get(left, TimeUnit.NANOSECONDS));
      }
      return answers;
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("a member did not answer {}: {}", kind, e.toString());
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      asked.forEach(answer -> answer.cancel(false));
    }
  }
}
