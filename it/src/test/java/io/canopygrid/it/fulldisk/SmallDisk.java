package io.canopygrid.it.fulldisk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system of a few MiB, which other processes on this machine do not see. A process that
 * waits for input keeps it, so it is gone with this JVM at the latest.
 */
final class SmallDisk implements AutoCloseable {
  private static final int MIB = 1 << 20;

  private final Process keeper;
  private final Path directory;

  private SmallDisk(Process keeper, Path directory) {
    this.keeper = keeper;
    this.directory = directory;
  }

  /**
   * Makes one.
   *
   * @param directory an empty one, in which it is found by who runs {@link #within} it
   * @throws IOException that says why this machine cannot
   */
  static SmallDisk of(Path directory, int mebibytes) throws IOException {
    String made = "mount -t tmpfs -o size=" + mebibytes + "m small \"$0\" && echo made; exec cat";
    Process keeper =
        new ProcessBuilder("unshare", "--mount", "sh", "-c", made, directory.toString())
            .redirectErrorStream(true)
            .start();
    String line = keeper.inputReader(UTF_8).readLine();
    if (!"made".equals(line)) {
      keeper.destroyForcibly();
      throw new IOException("no file system: " + line);
    }
    return new SmallDisk(keeper, directory);
  }

  /** The beginning of a command whose process sees the disk. */
  List<String> within() {
    return List.of("nsenter", "--target", Long.toString(keeper.pid()), "--mount");
  }

  private Path here() {
    return Path.of("/proc/" + keeper.pid() + "/root" + directory.toAbsolutePath());
  }

  /** Fills it with a file of its own until it has no more than this left. */
  void fill(int mebibytesLeft) throws IOException {
    byte[] block = new byte[MIB];
    try (OutputStream ballast = Files.newOutputStream(here().resolve("ballast"))) {
      while (Files.getFileStore(here()).getUsableSpace() > (long) mebibytesLeft * MIB) {
        ballast.write(block);
      }
    }
  }

  /** Takes that file away. */
  void empty() throws IOException {
    Files.delete(here().resolve("ballast"));
  }

  @Override
  public void close() {
    keeper.destroyForcibly();
  }
}
