package io.canopygrid.ycsb.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The demonstration's bank: right sums pass, a wrong one is found. */
final class BankTest {
  private static final int ACCOUNTS = 250;
  private static final long SEED = 42;

  private final Narrator narrator =
      Narrator.on(new PrintStream(new ByteArrayOutputStream(), true, UTF_8));
  private Canopy canopy;

  @BeforeEach
  void start() {
    canopy = EmbeddedCanopy.start();
  }

  @AfterEach
  void stop() {
    canopy.close();
  }

  @Test
  void transfersKeepTheSum() throws InterruptedException {
    Bank bank = opened();

    BankWorkload.Report report = run(bank, Duration.ofMillis(500));

    assertThat(report.problem()).as("seed %d", SEED).isNull();
    assertThat(report.transfers()).isPositive();
    assertThat(report.audits()).isPositive();
    assertThat(bank.audit()).isEqualTo(bank.expected());
  }

  @Test
  void moneyFromNowhereIsFound() throws InterruptedException {
    Bank bank = opened();
    Index<Long, Long> balances =
        canopy.index("bank", Codec.int64(), Codec.int64(), IndexOptions.DEFAULTS);
    canopy.run(tx -> tx.on(balances).put(0L, 1_001L));

    BankWorkload.Report report = run(bank, Duration.ofMinutes(1));

    assertThat(report.problem()).contains("sum=250001", "sum=250000");
    assertThat(report.seconds()).isLessThan(30);
  }

  private Bank opened() {
    Bank bank = new Bank(canopy, ACCOUNTS);
    for (int open = 0; open < ACCOUNTS; ) {
      open = bank.open(open);
    }
    return bank;
  }

  private BankWorkload.Report run(Bank bank, Duration time) throws InterruptedException {
    try (Progress progress = narrator.progress("transferring", "s", time.toSeconds())) {
      return new BankWorkload(bank).run(2, 1, time, SEED, progress);
    }
  }
}
