package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.wal.LogDamage;
import io.canopygrid.wire.MalformedBytesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The engine's failures as reasons, with the data directory and what can be done. */
final class EngineFailures {
  /** Said by the operating system of a file that the engine has written and cannot open. */
  private static final String NO_FILE = "No such file or directory";

  /** Where there is less room than this, work in the background fails for want of it. */
  private static final long ROOM_MIN = 128 << 20;

  /** Said by the operating system of a disk without room, and of a user without any left. */
  private static final String NO_ROOM = "No space left on device";

  private static final String NO_QUOTA = "Disk quota exceeded";

  private final Path directory;

  EngineFailures(Path directory) {
    this.directory = directory;
  }

  /** Whether a call was refused only because the engine's own work is behind. */
  static boolean isBehind(@Nullable Status status) {
    return status != null
        && (status.getCode() == Status.Code.Incomplete || status.getCode() == Status.Code.TryAgain);
  }

  /** A failure of an engine that is in use. */
  StorageException of(RocksDBException e) {
    return isBehind(e.getStatus()) ? inBackground(e) : of(e.getStatus(), e);
  }

  /** A failure of the engine's own work, of which it says only that there was one. */
  StorageException inBackground(@Nullable Throwable cause) {
    return exception(
        hasRoom() ? Reason.FAILED : Reason.FULL,
        "RocksDB's work in the background; its file engine/LOG says more",
        cause);
  }

  private boolean hasRoom() {
    try {
      return Files.getFileStore(directory).getUsableSpace() > ROOM_MIN;
    } catch (IOException e) {
      return true;
    }
  }

  StorageException of(@Nullable Status status, @Nullable Throwable cause) {
    return exception(reasonOf(status), text(status, cause), cause);
  }

  /** A failure while an engine that was made is opened: parts that are not there are missing. */
  StorageException atOpen(RocksDBException e) {
    Status.Code code = e.getStatus() == null ? Status.Code.Undefined : e.getStatus().getCode();
    boolean isMissing = code == Status.Code.InvalidArgument || code == Status.Code.NotFound;
    return isMissing ? damaged(text(e.getStatus(), e), e) : of(e);
  }

  /** A failure of files beside the engine's. */
  StorageException of(IOException e) {
    String what = String.valueOf(e.getMessage());
    if (e instanceof LogDamage) {
      return damaged(what, e);
    }
    boolean isFull = what.contains(NO_ROOM) || what.contains(NO_QUOTA);
    return exception(isFull ? Reason.FULL : Reason.FAILED, what, e);
  }

  /** Bytes with a right checksum that are none of Canopy's. */
  StorageException malformed(MalformedBytesException e) {
    return damaged(String.valueOf(e.getMessage()), e);
  }

  /** Any failure of an engine and a log that are in use. */
  StorageException ofAny(Throwable e) {
    if (e instanceof StorageException known) {
      return known;
    }
    if (e instanceof RocksDBException ofEngine) {
      return of(ofEngine);
    }
    if (e instanceof MalformedBytesException malformed) {
      return malformed(malformed);
    }
    return e instanceof IOException ofFiles
        ? of(ofFiles)
        : exception(Reason.FAILED, String.valueOf(e), e);
  }

  StorageException damaged(String what, @Nullable Throwable cause) {
    return exception(Reason.DAMAGED, what, cause);
  }

  private static Reason reasonOf(@Nullable Status status) {
    if (status == null) {
      return Reason.FAILED;
    }
    if (status.getSubCode() == Status.SubCode.NoSpace) {
      return Reason.FULL;
    }
    boolean isMissing = status.getState() != null && status.getState().contains(NO_FILE);
    return status.getCode() == Status.Code.Corruption || isMissing ? Reason.DAMAGED : Reason.FAILED;
  }

  private static String text(@Nullable Status status, @Nullable Throwable cause) {
    if (cause != null && cause.getMessage() != null) {
      return cause.getMessage();
    }
    if (status == null) {
      return "unknown";
    }
    return status.getState() == null ? status.getCodeString() : status.getState();
  }

  private StorageException exception(Reason reason, String what, @Nullable Throwable cause) {
    String format =
        switch (reason) {
          case DAMAGED ->
              "the data in %s is damaged (%s): move the directory aside and start with an empty one;"
                  + " the node then gets its data from the others";
          case FULL ->
              "the disk of data directory %s is full (%s): free or add room, then start the node"
                  + " again";
          default ->
              "the storage in data directory %s failed (%s): check the disk, then start the node"
                  + " again";
        };
    return new StorageException(reason, String.format(Locale.ROOT, format, directory, what), cause);
  }
}
