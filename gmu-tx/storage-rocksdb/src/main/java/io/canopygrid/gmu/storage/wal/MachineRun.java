package io.canopygrid.gmu.storage.wal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The run of the machine, from its start to its stop. The operating system keeps what a process has
 * handed to it when the process ends, but not when the run does.
 */
final class MachineRun {
  /** The number of a run that is not known. */
  static final long UNKNOWN = 0;

  private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

  private MachineRun() {}

  /** Whether a run that is known is the present one. */
  static boolean isCurrent(long run) {
    return run != UNKNOWN && run == current();
  }

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
