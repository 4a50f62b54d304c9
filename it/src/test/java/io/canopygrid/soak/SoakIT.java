package io.canopygrid.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.Durability;
import io.canopygrid.Placement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No fault of a cluster of processes loses a write or shows an impossible value. */
final class SoakIT {
  private static final long SEED = Long.getLong("canopy.seed", 20_121_206L);

  /** Nodes that pause, join and leave in order have tests of their own, with containers, too. */
  private static final String SHORT = "kill,cut,one-way,loss,pressure";

  /** Deaths of all and power cuts have tests of their own, too. */
  private static final Set<ClusterFault> SHORT_OF_DISKS =
      EnumSet.of(ClusterFault.DISK_LOST, ClusterFault.DISK_SLOW, ClusterFault.DISK_FULL);

  /** The faults of the short form. */
  private static final Set<ClusterFault> FAULTS =
      ClusterFault.parse(System.getProperty("canopy.soak.faults", SHORT), null);

  /** The number of transactions under each fault; 0: only the short form runs. */
  private static final long TRANSACTIONS = Long.getLong("canopy.soak.transactions", 0);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  @Test
  void faultsOnceWhileDataGoesWhereItIsUsed() throws IOException, InterruptedException {
    SoakReport report =
        soak(
            SoakOptions.of(Duration.ofMillis(1), SEED)
                .faults(FAULTS, FAULTS.size())
                .placement(Placement.NEAR));

    assertThat(report.faults().keySet()).isEqualTo(FAULTS);
    assertThat(report.drawn()).as("%s", report.text()).isPositive();
  }

  @Test
  void theFaultsOfDisksOnce() throws IOException, InterruptedException {
    Set<ClusterFault> faults = EnumSet.copyOf(ClusterFault.parse("all", Durability.FSYNC));
    faults.removeAll(ClusterFault.parse("all", null));
    if (!FAULTS.equals(ClusterFault.parse("all", null))) {
      faults.retainAll(SHORT_OF_DISKS);
    }
    SoakReport report =
        soak(
            SoakOptions.of(Duration.ofMillis(1), SEED)
                .durability(Durability.FSYNC)
                .faults(faults, faults.size()));

    assertThat(report.faults().keySet()).isEqualTo(faults).contains(ClusterFault.DISK_LOST);
  }

  @ParameterizedTest
  @EnumSource(ClusterFault.class)
  void oneFaultAgainAndAgain(ClusterFault fault) throws IOException, InterruptedException {
    assumeTrue(TRANSACTIONS > 0, "the long form: -Dcanopy.soak.transactions=100000");
    @Nullable Durability durability = fault.whyNot(null).isEmpty() ? null : Durability.FSYNC;
    assumeTrue(fault.whyNot(durability).isEmpty(), fault.whyNot(durability));
    SoakReport report =
        soak(
            SoakOptions.of(Duration.ofMillis(1), SEED)
                .durability(durability)
                .faults(EnumSet.of(fault), 4)
                .transactions(TRANSACTIONS));

    assertThat(report.committed()).isGreaterThanOrEqualTo(TRANSACTIONS);
  }

  private SoakReport soak(SoakOptions options) throws IOException, InterruptedException {
    SoakReport report = new Soak(options, directory, false, System.out::println).run();
    System.out.println(report.text());
    assertThat(report.passed()).as("%s", report.text()).isTrue();
    assertThat(report.lostWrites()).isZero();
    assertThat(report.committed()).isGreaterThan(1_000);
    return report;
  }
}
