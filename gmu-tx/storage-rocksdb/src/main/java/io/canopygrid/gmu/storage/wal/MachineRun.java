package io.canopygrid.gmu.storage.wal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which run of the machine this is. What a process has handed to the operating system outlives the
 * process, but not the run.
 */
final class MachineRun {
  /** It is not known. */
  static final long UNKNOWN = 0;

  private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

  private MachineRun() {}

  /** A number that other runs do not have, or {@link #UNKNOWN}. */
  static long current() {
    try {
      UUID id = UUID.fromString(Files.readString(LINUX).strip());
      return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    } catch (IOException | IllegalArgumentException e) {
      return UNKNOWN;
    }
  }
}
