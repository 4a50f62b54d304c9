package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.protocol.copy.EntryRoom;
import io.canopygrid.gmu.storage.StepChanges;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OpeningsTest {
  private final Outbox outbox = new Outbox(new NodeId(1), new StepChanges(true, false));
  private final EntryRoom memory = new EntryRoom(1000, 64);
  private final Openings openings = new Openings(outbox, memory, shard -> shard > 0);
  private final List<Effect> effects = new ArrayList<>();

  @BeforeEach
  void begin() {
    outbox.begin(0, effects);
    for (int shard = 0; shard < 5; shard++) {
      openings.add(shard);
    }
  }

  private List<Integer> asked() {
    openings.ask();
    List<Integer> shards = effects.stream().map(e -> ((Effect.Open) e).shard()).toList();
    effects.clear();
    return shards;
  }

  private Effect.Open ask() {
    openings.ask();
    return (Effect.Open) effects.remove(0);
  }

  @Test
  void theyAreReadOneAfterTheOther() {
    assertThat(openings.size()).isEqualTo(5);
    Effect.Open first = ask();
    assertThat(first.shard()).as("a primary").isEqualTo(1);
    assertThat(first.valueBytesMax()).as("half of the memory").isEqualTo(500);
    assertThat(asked()).isEmpty();
    openings.end(first);
    assertThat(openings.size()).isEqualTo(4);
    assertThat(asked()).containsExactly(2);
  }

  @Test
  void theOnesThatSomebodyWaitsForComeFirst() {
    Effect.Open first = ask();
    openings.want(4);
    openings.want(3);
    openings.want(4);
    openings.want(0);
    openings.want(3);
    Effect.Open third = ask();
    assertThat(third.shard()).as("the one that was asked for last").isEqualTo(3);
    assertThat(asked()).as("two at a time").isEmpty();
    openings.end(third);
    Effect.Open backup = ask();
    assertThat(backup.shard()).isEqualTo(0);
    openings.end(backup);
    assertThat(asked()).containsExactly(4);
    openings.end(first);
    assertThat(asked()).as("nobody waits for another one").isEmpty();
  }

  @Test
  void theAnswerForACopyThatIsGoneIsOfNoUse() {
    Effect.Open first = ask();
    assertThat(openings.isOf(first)).isTrue();
    openings.forget(1);
    assertThat(openings.isOf(first)).isFalse();
    assertThat(openings.size()).isEqualTo(4);
    openings.want(1);
    assertThat(asked()).containsExactly(2);
    openings.clear();
    assertThat(openings.size()).isZero();
    assertThat(asked()).isEmpty();
  }
}
