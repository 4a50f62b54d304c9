package io.canopygrid.server.export;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Failures to write a file as coded errors. */
final class WriteFailures {
  /** Where there is less room than this, a write fails for want of it. */
  private static final long ROOM_MIN = 64 << 10;

  /** Said by operating systems of a disk without room, and of a user without any left. */
  private static final List<String> NO_ROOM =
      List.of("No space left on device", "Disk quota exceeded", "not enough space");

  private WriteFailures() {}

  /**
   * The error of a file.
   *
   * @return {@link ErrorCode#DISK_FULL}, or {@link ErrorCode#INVALID_ARGUMENT} for all else, as a
   *     directory that is not there
   */
  static CanopyException coded(String file, IOException e) {
    String why = message(file, e);
    return isFull(file, why)
        ? new CanopyException(ErrorCode.DISK_FULL, file + ": the disk has no room: " + why, e)
        : new CanopyException(
            ErrorCode.INVALID_ARGUMENT, file + ": it cannot be written: " + why, e);
  }

  private static String message(String file, IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no directory " + directory(file);
    }
    String reason = e instanceof FileSystemException f ? f.getReason() : null;
    return reason == null ? String.valueOf(e.getMessage()) : reason;
  }

  private static boolean isFull(String file, String why) {
    return NO_ROOM.stream().anyMatch(why::contains) || isFull(directory(file));
  }

  private static boolean isFull(@Nullable Path directory) {
    try {
      return directory != null && Files.getFileStore(directory).getUsableSpace() < ROOM_MIN;
    } catch (IOException e) {
      return false;
    }
  }

  private static @Nullable Path directory(String file) {
    return Path.of(file).toAbsolutePath().getParent();
  }
}
