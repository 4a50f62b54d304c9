package io.canopygrid.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Overwritten values are let go, as soon as no transaction can read them any more. */
final class MemoryIT {
  /** The long form: an hour. */
  private static final int MINUTES = Integer.getInteger("canopy.memory.minutes", 0);

  private static final double GROWTH_MAX = 1.1;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  @Test
  void updatesLeaveNothingBehind() throws IOException, InterruptedException {
    MemoryRun.Options options =
        MINUTES == 0
            ? new MemoryRun.Options(Duration.ofSeconds(24), 2, 20_000, 256, 900)
            : new MemoryRun.Options(Duration.ofMinutes(MINUTES), 6, 20_000, 256, 100);
    MemoryRun.Report report = new MemoryRun(options, directory, System.out::println).run();
    System.out.println(report.text());

    assertThat(report.failed()).isZero();
    assertThat(report.changed()).as("snapshots that changed").isZero();
    assertThat(report.held()).as("%s", report.text()).allMatch(bytes -> bytes > report.before());
    assertThat(report.growth()).as("%s", report.text()).isLessThan(GROWTH_MAX);
  }
}
