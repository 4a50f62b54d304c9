package io.canopygrid.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node that joins takes its part of the data, and no operation fails. */
final class JoinIT {
  private static final double UNEVENNESS_MAX = 1.25;
  private static final int ENTRIES = Integer.getInteger("canopy.join.entries", 40_000);
  private static final Duration PEACE =
      Duration.ofSeconds(Integer.getInteger("canopy.join.seconds", 2));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  @Test
  void aFourthNodeJoinsUnderLoad() throws IOException, InterruptedException {
    JoinRun.Options options = new JoinRun.Options(ENTRIES, 128, 300, PEACE);
    JoinRun.Report report = new JoinRun(options, directory).run();
    System.out.println(report.text());

    assertThat(report.failed()).as("%s", report.text()).isZero();
    assertThat(report.shares()).hasSize(4);
    assertThat(report.shares().stream().mapToLong(JoinRun.Share::copies).sum())
        .isEqualTo(2L * ENTRIES);
    assertThat(report.unevenness()).as("%s", report.text()).isLessThanOrEqualTo(UNEVENNESS_MAX);
  }
}
