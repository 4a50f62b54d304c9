package io.canopygrid.soak.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Money moved about by the clients of three JVMs stays the same in every sum of any of them. */
final class BankIT {
  private static final long SEED = 99;

  /** Of the clients of each node. */
  private static final int TRANSACTIONS = Integer.getInteger("canopy.bank", 400);

  @TempDir private Path directory;

  @Test
  void everySumIsTheSame() throws IOException {
    try (Cluster cluster = Cluster.start(3, directory, System.nanoTime())) {
      Command bank =
          Command.of("bank")
              .with("seed", SEED)
              .with("clients", 2)
              .with("transactions", 0)
              .with("index", "bank");
      cluster.ask(0, bank.with("open", 1), Duration.ofMinutes(1));

      List<Command> answers =
          cluster.askAll(
              bank.with("open", 0).with("transactions", TRANSACTIONS), Duration.ofMinutes(5));

      assertThat(answers)
          .as("seed %s", SEED)
          .allSatisfy(answer -> {
            assertThat(answer.number("errors")).as(answer.toString()).isZero();
            assertThat(answer.number("wrongSums")).as(answer.toString()).isZero();
            assertThat(answer.number("sums"))
                .as(answer.toString())
                .isGreaterThan(TRANSACTIONS / 10);
            assertThat(answer.number("total")).isEqualTo(BankClient.TOTAL);
          });
    }
  }
}
