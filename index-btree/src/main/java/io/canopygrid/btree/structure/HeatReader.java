package io.canopygrid.btree.structure;

import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.load.HeatGrid;
import io.canopygrid.btree.load.HeatQuestion;
import io.canopygrid.btree.load.LoadHistory;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out how much the keys of an index were used at all nodes in the last hour. Thread-safe. */
public final class HeatReader {
  private static final Logger LOG = LoggerFactory.getLogger(HeatReader.class);

  private final GmuNode node;
  private final LoadHistory history;
  private final GridAnswers answers;

  /** The reader of a node, which tells the others about itself from now on. */
  public HeatReader(GmuNode node, NodeQuestions questions, LoadHistory history) {
    this.node = node;
    this.history = history;
    this.answers = new GridAnswers(node, questions);
    questions.serve(
        NodeQuestions.Kind.HEAT,
        (question, answer) -> ForkJoinPool.commonPool().execute(() -> tell(question, answer)));
  }

  private void tell(byte[] question, Consumer<byte[]> answer) {
    try {
      answer.accept(own(HeatQuestion.decode(question)).encode());
    } catch (MalformedBytesException e) {
      LOG.debug("a question about heat has no answer", e);
    }
  }

  private HeatGrid own(HeatQuestion question) {
    HeatGrid grid = new HeatGrid(question);
    grid.add(history.steps(), node.threads().nanoTime());
    return grid;
  }

  /**
   * The uses of an index, at this node and at all others that answer in a bounded time. The ranges
   * are the subtrees as they are now; where these are too many, some neighbours are one range.
   *
   * @param index the number of the index
   * @param from the lowest key; null: the index's
   * @param to the lowest key above; null: none
   * @param rangesMax 1 to {@value HeatQuestion#RANGES_MAX}
   * @param steps 1 to {@value LoadHistory#STEPS_MAX}
   */
  public HeatGrid read(
      int index, byte @Nullable [] from, byte @Nullable [] to, int rangesMax, int steps) {
    List<byte[]> lows = new ArrayList<>();
    lows.add(from == null ? new byte[0] : from);
    for (CrownEntry entry : Crown.entriesOf(node.top(), index)) {
      byte[] low = entry.separator();
      if (Arrays.compareUnsigned(low, lows.get(0)) > 0
          && (to == null || Arrays.compareUnsigned(low, to) < 0)) {
        lows.add(low);
      }
    }
    HeatQuestion question = new HeatQuestion(index, steps, thinned(lows, rangesMax), to);
    HeatGrid grid = own(question);
    for (byte[] answer : answers.ofAll(NodeQuestions.Kind.HEAT, question.encode()).answers()) {
      try {
        grid.add(answer);
      } catch (MalformedBytesException e) {
        LOG.debug("a member's answer is no heat", e);
      }
    }
    return grid;
  }

  private static List<byte[]> thinned(List<byte[]> lows, int most) {
    if (lows.size() <= most) {
      return lows;
    }
    List<byte[]> some = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      some.add(lows.get((int) ((long) i * lows.size() / most)));
    }
    return some;
  }
}
