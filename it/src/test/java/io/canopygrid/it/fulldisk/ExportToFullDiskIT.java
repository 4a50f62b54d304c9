package io.canopygrid.it.fulldisk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Loader;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** An export to a disk without room says so, and leaves no file of that name. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ExportToFullDiskIT {
  private static final int ENTRIES = 20_000;

  @TempDir private Path directory;

  @Test
  void aFullDiskHasACode() throws Exception {
    try (SmallDisk disk = disk();
        LocalCluster cluster = LocalCluster.startServers(1, "384m", Narrator.onStandardError())) {
      load(cluster.canopy());
      String file = directory.resolve("big.csv").toString();
      List<String> command = new ArrayList<>(disk.within());
      command.addAll(JavaCommand.ofThisJvm());
      command.addAll(List.of("-cp", JavaCommand.classPath()));
      command.addAll(List.of("io.canopygrid.server.cli.Main", "export", file));
      command.addAll(List.of("--index", "big", "-c", cluster.uri()));
      assertThat(run(command)).contains("CNPY-5003 DISK_FULL", file, "exit code 1");

      List<String> list = new ArrayList<>(disk.within());
      list.addAll(List.of("ls", directory.toString()));
      assertThat(run(list)).isEqualTo("exit code 0");
    }
  }

  private SmallDisk disk() throws IOException {
    try {
      return SmallDisk.of(directory, 4);
    } catch (IOException e) {
      throw new TestAbortedException("no small file system can be mounted", e);
    }
  }

  private static void load(Canopy db) {
    Index<Long, byte[]> big = db.index("big", Codec.int64(), Codec.bytes());
    try (Loader<Long, byte[]> loader = db.loader(big)) {
      for (long key = 0; key < ENTRIES; key++) {
        loader.add(key, new byte[500]);
      }
      loader.flush();
    }
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return output + "exit code " + process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }
}
