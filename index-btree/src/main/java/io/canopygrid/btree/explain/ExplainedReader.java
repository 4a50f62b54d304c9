package io.canopygrid.btree.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.canopygrid.CanopyException;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.engine.StepRecorder;
import io.canopygrid.explain.Explained;
import io.canopygrid.gmu.node.GmuNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recorded transactions of applications at their own nodes. Each node tells of its own: the
 * question is the id of one, or empty for all without their steps. Thread-safe.
 */
public final class ExplainedReader {
  private static final Logger LOG = LoggerFactory.getLogger(ExplainedReader.class);

  private final String node;
  private final ExplainedTransactions own;
  private final GridAnswers answers;

  /** The reader of a node, which tells the others about itself from now on. */
  public ExplainedReader(GmuNode node, NodeQuestions questions) {
    this.node = node.self().toString();
    this.own = new ExplainedTransactions(node.threads()::nanoTime);
    this.answers = new GridAnswers(node, questions);
    questions.serve(
        NodeQuestions.Kind.OWN_EXPLAINED,
        (question, answer) ->
            ForkJoinPool.commonPool().execute(() -> answer.accept(answer(question))));
  }

  private byte[] answer(byte[] question) {
    String id = new String(question, UTF_8);
    return id.isEmpty()
        ? ExplainedBytes.encode(node, own.all(), false)
        : ExplainedBytes.encode(node, own(id), true);
  }

  private List<Explained> own(String id) {
    return own.all().stream().filter(one -> one.transaction().equals(id)).limit(1).toList();
  }

  /** Records those of this node's application. */
  public StepRecorder recorder() {
    return own;
  }

  /**
   * The transactions of all members that answer in a bounded time, without steps; this is first.
   */
  public List<NodeExplained> all() {
    List<NodeExplained> all = new ArrayList<>();
    own.all().forEach(one -> all.add(new NodeExplained(node, one)));
    all.addAll(elsewhere(""));
    return all;
  }

  /** One of them with its steps; empty: no member that answers knows it. */
  public Optional<NodeExplained> find(String id) {
    List<Explained> here = own(id);
    return here.isEmpty()
        ? elsewhere(id).stream().findFirst()
        : Optional.of(new NodeExplained(node, here.get(0)));
  }

  private List<NodeExplained> elsewhere(String question) {
    List<NodeExplained> all = new ArrayList<>();
    NodeQuestions.Kind kind = NodeQuestions.Kind.OWN_EXPLAINED;
    for (byte[] answer : answers.ofAll(kind, question.getBytes(UTF_8)).answers()) {
      try {
        all.addAll(ExplainedBytes.decode(answer));
      } catch (CanopyException e) {
        LOG.debug("a member's answer has no transactions", e);
      }
    }
    return all;
  }
}
