package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.Mode;
import io.canopygrid.explain.Explained;
import io.canopygrid.explain.ExplainedStep;
import io.canopygrid.explain.Explanation;
import io.canopygrid.explain.StepKind;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The recorded steps of transactions of clients on three nodes say what was done, and where. */
final class ExplainedStepsTest {
  private static final int ENTRIES = 400;
  private static final Codec<Long> KEYS = Codec.int64();
  private static final Codec<String> VALUES = Codec.string();

  private final TestGrid grid = TestGrid.network(3, 2, 12, 64);
  private final EmbeddedCanopy db = grid.handle(0);
  private final Index<Long, String> index =
      db.index("costs", KEYS, VALUES, IndexOptions.DEFAULTS.withSubtreeEntriesMax(16));
  private final ServedNode node = db.served();

  @BeforeEach
  void load() {
    db.run(tx -> {
      for (long key = 0; key < ENTRIES; key++) {
        tx.on(index).put(key, "v" + key);
      }
    });
    grid.awaitQuiet();
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private ServedTransaction begin(Mode mode) {
    long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    return node.begin(
        new Begin(mode, VectorClock.ZERO, deadlineNanos, "test", ReadFrom.PRIMARY, ""));
  }

  private Explained explain(Mode mode, Consumer<ServedTransaction> work) {
    Explanation explanation = new Explanation("test", System::nanoTime);
    ServedTransaction tx = begin(mode);
    tx.explainIn(explanation);
    try {
      work.accept(tx);
      if (mode == Mode.UPDATE) {
        tx.commit(null);
      }
    } finally {
      tx.end(true);
    }
    return explanation.ended(tx.id(), "", List.of());
  }

  private IndexRef ref() {
    return node.find("costs");
  }

  private byte[] key(long key) {
    return KEYS.encode(key);
  }

  private String idOf(int i) {
    return grid.node(i).self().toString();
  }

  @Test
  void aReadAtThisNodeIsLocalAndOneElsewhereNamesTheNode() {
    long own = grid.keyAt(0, index, 0);
    long other = grid.keyAt(2, index, 0);
    Explained explained =
        explain(
            Mode.READ_ONLY,
            tx -> {
              tx.on(ref()).get(key(own));
              tx.on(ref()).get(key(other));
              tx.on(ref()).get(key(10_000 + other));
            });
    List<ExplainedStep> steps = explained.steps();
    assertThat(steps.get(0).kind()).isEqualTo(StepKind.LOCAL);
    assertThat(steps.get(0).at().node()).isEmpty();
    assertThat(steps.get(0).at().rows()).isEqualTo(1);
    assertThat(steps.get(1).kind()).isEqualTo(StepKind.REMOTE);
    assertThat(steps.get(1).at().node()).isEqualTo(idOf(2));
    assertThat(steps.get(1).at().index()).isEqualTo("costs");
    assertThat(steps.get(1).at().shard()).isBetween(0, 11);
    assertThat(steps.get(2).at().rows()).isZero();
    assertThat(explained.sums()).containsKeys(StepKind.LOCAL, StepKind.REMOTE);
    assertThat(explained.otherNanos()).isLessThan(explained.nanos());
  }

  @Test
  void aScanHasAStepForEachPartAndNamesAllNodes() {
    Explained explained =
        explain(
            Mode.READ_ONLY,
            tx -> {
              EngineScan scan = tx.on(ref()).scan(KeyRange.of(new byte[0], null), false, ENTRIES);
              int rows = 0;
              while (scan.advance()) {
                rows++;
              }
              scan.close();
              assertThat(rows).isEqualTo(ENTRIES);
            });
    Set<String> asked =
        explained.steps().stream().map(step -> step.at().node()).collect(Collectors.toSet());
    assertThat(asked).contains("", idOf(1), idOf(2));
    assertThat(
            explained.steps().stream()
                .filter(step -> !step.isPart())
                .mapToLong(step -> Math.max(0, step.at().rows()))
                .sum())
        .isEqualTo(ENTRIES);
  }

  @Test
  void aCommitOnSeveralNodesHasItsParts() {
    long first = grid.keyAt(1, index, 0);
    long second = grid.keyAt(2, index, 0);
    Explained explained =
        explain(
            Mode.UPDATE,
            tx -> {
              tx.on(ref()).put(key(first), VALUES.encode("new"));
              tx.on(ref()).put(key(second), VALUES.encode("new"));
            });
    List<ExplainedStep> steps = explained.steps();
    ExplainedStep commit = steps.get(0);
    assertThat(commit.kind()).isEqualTo(StepKind.COMMIT);
    assertThat(commit.isPart()).isFalse();
    List<ExplainedStep> parts = steps.subList(1, steps.size());
    assertThat(parts).allMatch(ExplainedStep::isPart);
    assertThat(parts)
        .allMatch(part -> part.beganNanos() >= commit.beganNanos())
        .allMatch(part -> part.beganNanos() + part.nanos() <= commit.beganNanos() + commit.nanos());
    assertThat(nodesOf(parts, "validate and prepare")).contains(idOf(1), idOf(2));
    assertThat(parts).filteredOn(part -> part.what().equals("decided")).hasSize(1);
    assertThat(nodesOf(parts, "apply")).contains(idOf(1), idOf(2));
  }

  private static Set<String> nodesOf(List<ExplainedStep> parts, String what) {
    return parts.stream()
        .filter(part -> part.what().equals(what))
        .map(part -> part.at().node())
        .collect(Collectors.toSet());
  }

  @Test
  void theOnlyParticipantDecides() {
    long key = grid.keyAt(1, index, 0);
    Explained explained =
        explain(Mode.UPDATE, tx -> tx.on(ref()).put(key(key), VALUES.encode("new")));
    assertThat(explained.steps())
        .extracting(ExplainedStep::what)
        .containsExactly("commit", "validate and decide");
    assertThat(explained.steps().get(1).at().node()).isEqualTo(idOf(1));
  }

  @Test
  void aRefusedCommitSaysSo() {
    long key = grid.keyAt(0, index, 0);
    Explanation explanation = new Explanation("test", System::nanoTime);
    ServedTransaction late = begin(Mode.UPDATE);
    late.explainIn(explanation);
    late.on(ref()).get(key(key));
    late.on(ref()).put(key(key), VALUES.encode("late"));
    db.run(tx -> tx.on(index).put(key, "first"));
    assertThatThrownBy(() -> late.commit(null)).isInstanceOf(CanopyException.class);
    assertThat(explanation.ended(late.id(), "", List.of()).steps())
        .extracting(ExplainedStep::what)
        .contains("commit, refused: another transaction was first");
  }

  @Test
  void theTurnAtAKeyThatWasLostIsAStep() {
    long key = grid.keyAt(0, index, 0);
    ServedTransaction lost = begin(Mode.UPDATE);
    lost.on(ref()).get(key(key));
    lost.on(ref()).put(key(key), VALUES.encode("late"));
    db.run(tx -> tx.on(index).put(key, "first"));
    assertThatThrownBy(() -> lost.commit(null)).isInstanceOf(CanopyException.class);
    Explained again =
        explain(
            Mode.UPDATE,
            tx -> {
              tx.queueAfter(lost);
              tx.on(ref()).get(key(key));
              tx.on(ref()).put(key(key), VALUES.encode("again"));
            });
    assertThat(again.steps().get(0).what()).isEqualTo("read a key in its turn");
  }
}
