package io.canopygrid.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.soak.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A soak whose clients lose acknowledged writes on purpose says so. */
final class PlantedIT {
  @TempDir private Path directory;

  @Test
  void aLostWriteIsFound() throws IOException, InterruptedException {
    long baseNanos = System.nanoTime();
    Duration timeout = Duration.ofSeconds(5);
    try (Cluster cluster = Cluster.breakable(3, 8, timeout, timeout, directory, baseNanos)) {
      Drill drill = new Drill(cluster, directory, baseNanos, 1, 1, "LOSE_APPEND");
      drill.begin();
      TimeUnit.SECONDS.sleep(3);
      List<String> wrong = drill.end();

      assertThat(wrong).anySatisfy(what -> assertThat(what).containsIgnoringCase("lost"));
    }
  }
}
