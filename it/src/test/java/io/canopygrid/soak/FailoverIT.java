package io.canopygrid.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.NodeHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that lose another one go on, and nodes that are cut off say so. */
final class FailoverIT {
  /** The long form. */
  private static final boolean LONG = Boolean.getBoolean("canopy.failover.long");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  @Test
  void shardsServeAgainAndACutOffNodeRefuses() throws IOException, InterruptedException {
    FailoverRun.Options options =
        new FailoverRun.Options(
            LONG ? 5 : 1,
            Duration.ofSeconds(LONG ? 30 : 6),
            Duration.ofSeconds(LONG ? 20 : 10),
            8,
            Duration.ofSeconds(2));
    FailoverRun.Report report = new FailoverRun(options, directory, System.out::println).run();
    System.out.println(report.text());

    assertThat(report.deaf())
        .as("not for as long as it lasts: %s", report.text())
        .isLessThan(options.cut().toMillis());
    assertThat(report.cut()).isLessThan(options.cut().toMillis());
    if (LONG) {
      assertThat(report.refusals().foundAfter())
          .as("refuses soon after it can know: %s", report.text())
          .isLessThan(2 * options.failureTimeout().toMillis());
    }
    assertThat(report.refusals().millis()).as("%s", report.text()).isNotEmpty();
    assertThat(report.refusals().late()).as("%s", report.text()).isZero();
    assertThat(report.refusals().served()).as("%s", report.text()).isZero();
  }

  /** A primary that wakes up holds beliefs that are half a minute old. */
  @Test
  void aPrimaryThatSleptForHalfAMinuteDoesNoHarm() throws IOException, InterruptedException {
    assumeTrue(LONG, "the long form: -Dcanopy.failover.long=true");
    long baseNanos = System.nanoTime();
    try (Cluster cluster =
        Cluster.breakable(
            3, 8, Duration.ofSeconds(2), Duration.ofSeconds(5), directory, baseNanos)) {
      Drill drill = new Drill(cluster, directory, baseNanos, 1, 1, "NONE");
      drill.begin();
      NodeHandle oldest = cluster.nodes().get(0);
      oldest.pause();
      try {
        TimeUnit.SECONDS.sleep(30);
      } finally {
        oldest.resume();
      }
      assertThat(drill.end()).as("what is wrong").isEmpty();
    }
  }
}
