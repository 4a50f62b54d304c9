package io.canopygrid.junit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.Index;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Simulated runs of a user's bodies find the mistakes that these have, and only these. */
final class CanopySimulationTest {
  private static final GridFault[] FAULTS = {
    GridFault.KILL, GridFault.PAUSE, GridFault.PARTITION, GridFault.MOVE, GridFault.DELAY
  };

  @AfterEach
  void noSeedIsAskedFor() {
    System.clearProperty(CanopySimulation.SEED_PROPERTY);
  }

  private static SimulationFailure failure(
      CanopySimulation simulation, Consumer<Scenario> scenario) {
    return catchThrowableOfType(SimulationFailure.class, () -> simulation.run(scenario));
  }

  // ---- correct bodies

  @Test
  void correctTransfersPassWithFaultsThatReallyHappen() {
    SimulationReport report =
        CanopySimulation.of(3).faults(FAULTS).seeds(1, 50).eachTwice().run(Bank::scenario);

    assertThat(report.seeds()).isEqualTo(50);
    assertThat(report.restarts()).isPositive();
    assertThat(report.updates()).isGreaterThan(50 * 3 * 5);
    for (GridFault fault : FAULTS) {
      assertThat(report.count(fault)).as(fault.name()).isPositive();
    }
    assertThat(report.toString()).contains("50 seeds", "KILL " + report.count(GridFault.KILL));
  }

  @Test
  void allFaultsAreThereWithFourNodes() {
    SimulationReport report =
        CanopySimulation.of(4).faults(GridFault.values()).seeds(1, 30).run(Bank::scenario);

    for (GridFault fault : GridFault.values()) {
      assertThat(report.count(fault)).as(fault.name()).isPositive();
    }
  }

  @Test
  void aSingleNodeHasNoFaultsButPauses() {
    SimulationReport report =
        CanopySimulation.of(1).faults(GridFault.PAUSE).seeds(1, 20).run(Bank::scenario);

    assertThat(report.count(GridFault.PAUSE)).isPositive();
    assertThat(report.restarts()).isZero();
  }

  /** All clients want one key: attempts fail, and are repeated without real time. */
  @Test
  void conflictsAreRetriedInVirtualTime() {
    AtomicInteger attempts = new AtomicInteger();
    CanopySimulation.of(3)
        .faults(GridFault.DELAY)
        .seeds(1, 10)
        .run(scenario ->
            scenario
                .setUp(client -> Bank.open(client, 1))
                .clients(
                    "counter",
                    4,
                    client -> {
                      Index<Long, Long> accounts = Bank.accounts(client);
                      for (int i = 0; i < 5; i++) {
                        client
                            .canopy()
                            .run(tx -> {
                              attempts.incrementAndGet();
                              tx.on(accounts).compute(0L, (id, cents) -> cents + 1);
                            });
                      }
                    })
                .check(client -> assertThat(Bank.sum(client)).isEqualTo(Bank.CENTS + 20)));

    assertThat(attempts.get()).isGreaterThan(10 * 20);
  }

  // ---- mistakes of bodies

  /** Reads in one transaction and writes in another one, so that updates between are lost. */
  private static void loseUpdates(Scenario scenario) {
    scenario
        .setUp(client -> Bank.open(client, 1))
        .clients(
            "counter",
            2,
            client -> {
              Index<Long, Long> accounts = Bank.accounts(client);
              long seen =
                  client.canopy().read(tx -> Objects.requireNonNull(tx.on(accounts).get(0L)));
              client.canopy().run(tx -> tx.on(accounts).put(0L, seen + 1));
            })
        .check(client -> assertThat(Bank.sum(client)).isEqualTo(Bank.CENTS + 2));
  }

  @Test
  void aLostUpdateIsFoundAndItsSeedFailsAgainInTheSameWay() {
    SimulationFailure first =
        failure(CanopySimulation.of(3).seeds(1, 20), CanopySimulationTest::loseUpdates);

    assertThat(first)
        .isNotNull()
        .hasMessageContaining("seed " + first.seed() + " fails: the check threw")
        .hasMessageContaining(".seed(" + first.seed() + ")")
        .hasCauseInstanceOf(AssertionError.class);
    SimulationFailure second =
        failure(CanopySimulation.of(3).seed(first.seed()), CanopySimulationTest::loseUpdates);
    assertThat(second).hasMessage(first.getMessage());
    assertThat(second.story()).isEqualTo(first.story()).anyMatch(step -> step.contains("calls"));
  }

  @Test
  void aPropertyNamesTheOnlySeed() {
    SimulationFailure found =
        failure(CanopySimulation.of(3).seeds(1, 20), CanopySimulationTest::loseUpdates);
    System.setProperty(CanopySimulation.SEED_PROPERTY, Long.toString(found.seed()));

    SimulationFailure only =
        failure(CanopySimulation.of(3).seeds(5_000, 1), CanopySimulationTest::loseUpdates);

    assertThat(only.seed()).isEqualTo(found.seed());
  }

  /** A process that dies between two transactions leaves half of what it wanted to do. */
  @Test
  void aTransferInTwoTransactionsIsFoundWhereNodesDie() {
    Consumer<Scenario> halves =
        scenario ->
            scenario
                .setUp(client -> Bank.open(client, 2))
                .client(
                    "mover",
                    client -> {
                      Index<Long, Long> accounts = Bank.accounts(client);
                      for (int i = 0; i < 10; i++) {
                        client
                            .canopy()
                            .run(tx -> tx.on(accounts).compute(0L, (id, cents) -> cents - 1));
                        client
                            .canopy()
                            .run(tx -> tx.on(accounts).compute(1L, (id, cents) -> cents + 1));
                      }
                    })
                .check(client -> assertThat(Bank.sum(client)).isEqualTo(2 * Bank.CENTS));

    CanopySimulation.of(3).faults(GridFault.DELAY).seeds(1, 20).run(halves);
    assertThat(failure(CanopySimulation.of(3).faults(GridFault.KILL).seeds(1, 50), halves))
        .hasMessageContaining("the check threw");
  }

  @Test
  void anExceptionOfABodyFailsTheSeed() {
    SimulationFailure failure =
        failure(
            CanopySimulation.of(2),
            scenario ->
                scenario.client(
                    "bad",
                    client -> {
                      throw new java.io.IOException("no file");
                    }));

    assertThat(failure)
        .hasMessageContaining("bad threw java.io.IOException: no file")
        .hasCauseInstanceOf(java.io.IOException.class);
  }

  @Test
  void aBodyThatNeverEndsIsTold() {
    SimulationFailure failure =
        failure(
            CanopySimulation.of(2).seed(1).virtualTimeLimit(Duration.ofSeconds(30)),
            scenario ->
                scenario.client(
                    "poller",
                    client -> {
                      while (client.starts() > 0) {
                        client.sleep(Duration.ofMillis(100));
                      }
                    }));

    assertThat(failure).hasMessageContaining("[poller] have not ended after 30000 ms");
  }

  @Test
  void aBodyThatBlocksElsewhereIsToldWithItsPlace() {
    SimulationFailure failure =
        failure(
            CanopySimulation.of(2).standstillLimit(Duration.ofSeconds(2)),
            scenario -> scenario.client("sleeper", client -> new CountDownLatch(1).await()));

    assertThat(failure).hasMessageContaining("sleeper has not called Canopy for 2000 ms");
    assertThat(Objects.requireNonNull(failure.getCause()).getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(CountDownLatch.class.getName()));
  }

  @Test
  void aThreadOfABodyIsRefused() {
    List<Throwable> seen = new ArrayList<>();
    SimulationFailure failure =
        failure(
            CanopySimulation.of(2),
            scenario ->
                scenario.client(
                    "forker",
                    client -> {
                      Index<Long, Long> accounts = Bank.accounts(client);
                      Thread thread =
                          new Thread(() -> {
                            try {
                              client.canopy().run(tx -> tx.on(accounts).put(1L, 1L));
                            } catch (RuntimeException e) {
                              seen.add(e);
                            }
                          });
                      thread.start();
                      thread.join();
                    }));

    assertThat(failure).hasMessageContaining("a thread of its own");
    assertThat(seen).isNotEmpty();
  }

  // ---- bodies that are not the same each time

  @Test
  void aStepThatDependsOnAnotherClockIsFound() {
    AtomicLong clock = new AtomicLong();
    SimulationFailure failure =
        failure(
            CanopySimulation.of(2).eachTwice(),
            scenario ->
                scenario.client(
                    "odd",
                    client -> {
                      client.sleep(Duration.ofMillis(clock.incrementAndGet()));
                      Bank.accounts(client);
                    }));

    assertThat(failure)
        .hasMessageContaining("is not the same as the first")
        .hasMessageContaining("Two runs differ in the clients' steps: after '")
        .hasMessageContaining("odd calls index");
  }

  @Test
  void aValueThatDependsOnAnotherClockIsFound() {
    AtomicLong clock = new AtomicLong();
    SimulationFailure failure =
        failure(
            CanopySimulation.of(2).eachTwice(),
            scenario ->
                scenario.client(
                    "odd",
                    client -> {
                      Index<Long, Long> accounts = Bank.accounts(client);
                      client.canopy().run(tx -> tx.on(accounts).put(1L, clock.incrementAndGet()));
                    }));

    assertThat(failure).hasMessageContaining("all entries have the hash");
  }

  @Test
  void aFailureThatDoesNotComeAgainSaysSo() {
    AtomicInteger runs = new AtomicInteger();
    SimulationFailure failure =
        failure(
            CanopySimulation.of(2),
            scenario -> {
              boolean isFirst = runs.getAndIncrement() == 0;
              scenario.client(
                  "odd",
                  client -> {
                    if (isFirst) {
                      throw new IllegalStateException("once");
                    }
                  });
            });

    assertThat(failure)
        .hasMessageContaining("odd threw java.lang.IllegalStateException: once")
        .hasMessageContaining("a second run of the seed is not the same as the first")
        .hasMessageContaining("Later runs are the same");
  }

  // ---- time, chance, and asynchronous calls

  @Test
  void timeAndChanceAreTheSeeds() {
    List<String> seen = new ArrayList<>();
    Consumer<Scenario> scenario =
        run ->
            run.client(
                "one",
                client -> {
                  client.sleep(Duration.ofHours(1).dividedBy(120));
                  seen.add(client.now() + " " + client.random().nextInt() + client.name());
                });
    CanopySimulation.of(1).seed(4).run(scenario);
    CanopySimulation.of(1).seed(4).run(scenario);
    CanopySimulation.of(1).seed(5).run(scenario);

    assertThat(seen.get(0)).startsWith("PT30.").endsWith("one").isEqualTo(seen.get(1));
    assertThat(seen.get(2)).isNotEqualTo(seen.get(1));
  }

  @Test
  void asynchronousCallsAreAwaitedInVirtualTime() {
    CanopySimulation.of(3)
        .faults(GridFault.DELAY)
        .seeds(1, 10)
        .eachTwice()
        .run(scenario ->
            scenario
                .setUp(client -> Bank.open(client, 2))
                .client(
                    "async",
                    client -> {
                      Index<Long, Long> accounts = Bank.accounts(client);
                      CompletableFuture<?> one =
                          client
                              .canopy()
                              .runAsync(tx -> tx.on(accounts).compute(0L, (id, had) -> had + 1))
                              .toCompletableFuture();
                      client.await(
                          client
                              .canopy()
                              .runAsync(tx -> tx.on(accounts).compute(0L, (id, had) -> had + 1)));
                      client.await(one);
                    })
                .check(client -> assertThat(Bank.sum(client)).isEqualTo(2 * Bank.CENTS + 2)));
  }

  // ---- arguments

  @Test
  void wrongArgumentsAreRefusedAtOnce() {
    CanopySimulation three = CanopySimulation.of(3);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> CanopySimulation.of(7))
        .withMessage("nodes must be 1 to 6: nodes=7");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CanopySimulation.of(2).faults(GridFault.KILL))
        .withMessage("KILL needs 3 nodes: nodes=2");
    assertThatIllegalArgumentException().isThrownBy(() -> three.seeds(1, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> three.virtualTimeLimit(Duration.ofSeconds(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> three.standstillLimit(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> three.run(scenario -> {}))
        .withMessageContaining("must have a client");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> three.run(run -> run.client("a", any -> {}).client("a", any -> {})))
        .withMessageContaining("name='a'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> three.run(run -> run.clients("a", 0, any -> {})));
  }
}
