package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.crown.GridEntry;
import io.canopygrid.btree.serve.ClientFacts;
import io.canopygrid.btree.serve.DataFacts;
import io.canopygrid.btree.serve.GridStatus;
import io.canopygrid.btree.serve.NodeWatch;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server is ready where its node serves, and TOP answers it. */
@Timeout(60)
final class ReadinessTest {
  private static final ReadQuery ASKED = new ReadQuery.Get(GridEntry.KEY);

  private final TestGrid grid = TestGrid.network(2, 2, 8, 64);
  private final FaultyNode faulty = new FaultyNode(grid.node(0));
  private final ServedNode node = grid.faulty(faulty).served();

  /** A grid that has just begun is not ready before all of its shards serve. */
  @BeforeEach
  void awaitReady() throws InterruptedException {
    while (!grid.node(0).isReady() || !grid.node(1).isReady()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private boolean isReadyWatched() {
    try (NodeWatch watch = node.watch("1.2")) {
      assertThat(watch).isNotNull();
      return node.isReady();
    }
  }

  /** Asks the nodes anew until all of them have answered in time. */
  private static <T> T ask(Supplier<T> question, Predicate<T> isWhole) {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    T told = question.get();
    while (!isWhole.test(told) && deadlineNanos - System.nanoTime() > 0) {
      told = question.get();
    }
    return told;
  }

  private static boolean isWhole(GridStatus status) {
    return status.members().stream().allMatch(member -> member.facts() != null)
        && status.indexes().stream().allMatch(GridStatus.IndexSize::complete);
  }

  @Test
  void aNodeThatTopDoesNotAnswerIsNotReady() {
    assertThat(isReadyWatched()).isTrue();

    faulty.answer(query -> query.equals(ASKED) ? new ReadAnswer.Unavailable(8) : null);
    assertThat(isReadyWatched()).isFalse();
    assertThat(node.status().ready()).isFalse();

    faulty.answer(query -> null);
    assertThat(isReadyWatched()).isTrue();
  }

  @Test
  void theStatusHasWhatTheNodesSayOfThemselves() {
    Index<Long, String> index = grid.handle(0).index("people", Codec.int64(), Codec.string());
    grid.handle(0).run(tx -> tx.on(index).put(1L, "Ada"));
    grid.awaitQuiet();

    GridStatus status = ask(() -> grid.handle(0).served().status(), ReadinessTest::isWhole);

    assertThat(status.ready()).isTrue();
    assertThat(status.shards()).isEqualTo(8);
    assertThat(status.members()).allMatch(member -> member.member().reachable());
    assertThat(status.members().stream().mapToInt(member -> member.member().primaryShards()).sum())
        .isEqualTo(8);
    assertThat(status.members())
        .allSatisfy(member -> {
          assertThat(member.facts()).isNotNull();
          assertThat(member.facts().node()).hasToString(member.member().node());
          assertThat(member.facts().ready()).isTrue();
        });
    assertThat(status.indexes()).isEqualTo(List.of(new GridStatus.IndexSize("people", 1, true)));
  }

  @Test
  void theNodesSayWhereTheirDataIs() {
    List<DataFacts> data = ask(() -> grid.handle(0).served().data(), told -> told.size() == 2);
    assertThat(data)
        .extracting(DataFacts::node)
        .containsExactlyInAnyOrder(grid.node(0).self(), grid.node(1).self());
    assertThat(data).allSatisfy(facts -> assertThat(facts.durability()).isNull());
  }

  private List<ClientFacts> askClients() {
    return ask(node::clients, told -> told.size() == 2);
  }

  /** A node that is no server's has no clients, and says so at once. */
  @Test
  void theServersSayWhatTheirClientsDid() {
    ServedNode other = grid.handle(1).served();
    assertThat(askClients()).extracting(facts -> facts.total().attempts()).containsExactly(0L, 0L);
    try (NodeWatch watch = node.watch("1.2");
        NodeWatch second = other.watch("1.2")) {
      assertThat(watch).isNotSameAs(second);
      long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      other
          .begin(
              new Begin(
                  Mode.READ_ONLY, VectorClock.ZERO, deadlineNanos, "payment", ReadFrom.PRIMARY, ""))
          .end(true);

      List<ClientFacts> clients = askClients();

      assertThat(clients).extracting(ClientFacts::id).containsExactly(node.name(), other.name());
      assertThat(clients.get(1).byLabel()).containsOnlyKeys("payment");
      assertThat(clients.get(1).total().attempts()).isEqualTo(1);
    }
  }
}
