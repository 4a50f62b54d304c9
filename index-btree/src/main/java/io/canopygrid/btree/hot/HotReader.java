package io.canopygrid.btree.hot;

import io.canopygrid.CanopyException;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.HotFigures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out which entries of a grid are hot, and where their copies are. Thread-safe. */
public final class HotReader {
  private static final Logger LOG = LoggerFactory.getLogger(HotReader.class);

  private final GmuNode node;
  private final GridAnswers answers;

  /** The reader of a node, which tells the others about itself from now on. */
  public HotReader(GmuNode node, NodeQuestions questions) {
    this.node = node;
    this.answers = new GridAnswers(node, questions);
    questions.serve(
        NodeQuestions.Kind.HOT,
        (question, answer) ->
            ForkJoinPool.commonPool().execute(() -> answer.accept(own().encode())));
  }

  private HotFacts own() {
    HotFigures figures = node.hotEntries();
    Map<Long, Integer> indexes = indexes(figures);
    return HotFacts.of(node.self(), figures, indexes::get);
  }

  /** The indexes of the kcls of hot keys, as this node's copy of TOP has them. */
  private Map<Long, Integer> indexes(HotFigures figures) {
    Set<Long> wanted = new HashSet<>();
    figures.hot().forEach(hot -> wanted.add(hot.key().kcl()));
    Map<Long, Integer> indexes = new HashMap<>();
    if (!wanted.isEmpty()) {
      Crown.forEach(
          node.top(),
          entry -> {
            if (wanted.contains(entry.kcl())) {
              indexes.put(entry.kcl(), entry.index());
            }
          });
    }
    return indexes;
  }

  /** The hot entries of each member that answers in a bounded time; this one is first. */
  public List<HotFacts> nodes() {
    List<HotFacts> nodes = new ArrayList<>();
    nodes.add(own());
    for (byte[] answer : answers.ofAll(NodeQuestions.Kind.HOT, new byte[0]).answers()) {
      try {
        nodes.add(HotFacts.decode(answer));
      } catch (CanopyException e) {
        LOG.debug("a member's answer has no hot entries", e);
      }
    }
    return nodes;
  }
}
