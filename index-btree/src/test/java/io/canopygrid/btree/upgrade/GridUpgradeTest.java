package io.canopygrid.btree.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.UpgradeState;
import io.canopygrid.btree.balance.NewSubtrees;
import io.canopygrid.btree.catalog.Catalog;
import io.canopygrid.btree.catalog.LevelChanges;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.btree.question.NodeQuestions.Kind;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.LevelEntry;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.transaction.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The grid is raised where all nodes speak the next level, and otherwise stays as it is. */
@NullUnmarked // the grid is there while a test runs
final class GridUpgradeTest {
  private static final int OLD = GridLevel.lowest();
  private static final int NEW = GridLevel.highest();
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The patience of an upgrade that waits for what does not come. */
  private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The time in which nodes answer that do, and in which one does not that never will. */
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final NodeId JOINING = new NodeId(77);

  private final List<NodeQuestions> questions = new ArrayList<>();
  private final List<LevelChanges> levels = new ArrayList<>();
  private InProcessNetwork network;
  private GridUpgrade upgrade;
  private GridUpgrade impatient;

  @BeforeEach
  void start() {
    network =
        InProcessNetwork.start(
            3, 2, new ShardMap(8), NodeSettings.DEFAULT, BPlusTree.factory(8), new SubtreeFences());
    for (int i = 0; i < 3; i++) {
      GmuNode node = network.node(i);
      node.level().is(OLD, OLD);
      NodeQuestions asked = new NodeQuestions(node.calls());
      LevelChanges changes =
          new LevelChanges(node, new Catalog(node, new NewSubtrees(node), new Session()));
      questions.add(asked);
      levels.add(changes);
      GridUpgrade own = upgrade(i, ANSWER_NANOS, PATIENCE_NANOS);
      upgrade = i == 0 ? own : upgrade;
      asked.open();
    }
    impatient = upgrade(0, ANSWER_NANOS, SHORT_NANOS);
    LevelEntry unsaid = LevelEntry.at(LevelEntry.WITHOUT);
    assertThat(levels.get(0).change(unsaid, LevelEntry.at(OLD))).isTrue();
  }

  private GridUpgrade upgrade(int i, long answerNanos, long patienceNanos) {
    return new GridUpgrade(
        network.node(i),
        levels.get(i),
        questions.get(i),
        () -> GridUpgradeTest::release,
        new GridAnswers(network.node(i), questions.get(i), answerNanos),
        patienceNanos);
  }

  @AfterEach
  void stop() {
    network.close();
  }

  /** Lets a node say this. */
  private void answers(int i, Supplier<NodeLevels> says) {
    questions.get(i).serve(Kind.LEVELS, (question, answer) -> answer.accept(says.get().encode()));
  }

  private static String release(NodeId node) {
    return "release of " + node;
  }

  private void assertRefused(String why) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> impatient.raise())
        .withMessageContaining(why)
        .extracting(CanopyException::code)
        .isEqualTo(ErrorCode.UPGRADE_REFUSED);
    assertThat(levels.get(1).read()).as("the grid stays as it is").isEqualTo(LevelEntry.at(OLD));
  }

  @Test
  void allSpeakIt() {
    UpgradeState before = upgrade.state();
    assertThat(before.level()).isEqualTo(OLD);
    assertThat(before.isFinal()).isFalse();
    assertThat(before.obstacle()).isEmpty();
    assertThat(before.target()).isEqualTo(NEW);

    UpgradeState after = upgrade.raise();

    assertThat(after.level()).isEqualTo(NEW);
    assertThat(after.isFinal()).isTrue();
    assertThat(after.nodes()).hasSize(3).allMatch(UpgradeState.Node::isMember);
    for (int i = 0; i < 3; i++) {
      levels.get(i).look();
      assertThat(network.node(i).level().level()).isEqualTo(NEW);
      assertThat(network.node(i).level().joined()).isEqualTo(NEW);
    }
    assertThat(upgrade.raise()).as("once more").isEqualTo(after);
  }

  @Test
  void aMemberThatDoesNotSaySoIsOfAnOlderRelease() {
    questions.get(2).serve(Kind.LEVELS, (question, answer) -> {});
    NodeId silent = network.node(2).self();
    impatient = upgrade(0, SILENCE_NANOS, SHORT_NANOS);
    assertThat(impatient.state().obstacle())
        .hasValue(
            "node %s (release release of %s) does not say which levels it speaks: it runs an older"
                    .formatted(silent, silent)
                + " release, or does not answer");
    assertRefused("does not say which levels it speaks");
  }

  @Test
  void aMemberThatSpeaksTheOldLevelOnly() {
    answers(1, () -> new NodeLevels(OLD - 1, OLD, OLD, OLD, Set.of()));
    assertRefused("speaks levels up to " + OLD + " only");
  }

  /** The member told it the old level before it heard of the new one. */
  @Test
  void aNodeThatOneMemberHasLetIn() {
    AtomicInteger times = new AtomicInteger();
    GmuNode member = network.node(2);
    answers(
        2,
        () -> {
          levels.get(2).look();
          NodeLevels own = NodeLevels.of(member);
          Set<NodeId> others = new HashSet<>(own.others());
          if (times.incrementAndGet() > 1) {
            others.add(JOINING);
          }
          return new NodeLevels(own.lowest(), own.highest(), own.level(), own.joined(), others);
        });
    assertRefused("has not joined yet");
    assertThat(times.get()).as("it was asked again").isGreaterThan(1);
  }

  @Test
  void aMemberThatDoesNotHearOfIt() {
    answers(1, () -> new NodeLevels(OLD, NEW, OLD, OLD, Set.of()));
    assertRefused("has not heard of it in time");
  }

  @Test
  void oneThatWasInterruptedIsGoneOnWith() {
    LevelEntry closed = new LevelEntry(OLD, NEW);
    assertThat(levels.get(2).change(LevelEntry.at(OLD), closed)).isTrue();
    assertThat(levels.get(1).change(LevelEntry.at(OLD), closed)).as("the same again").isTrue();
    assertThat(levels.get(1).change(LevelEntry.at(OLD), LevelEntry.at(NEW))).isFalse();
    assertThat(upgrade.state().isFinal()).isFalse();
    assertThat(upgrade.raise().isFinal()).isTrue();
  }
}
