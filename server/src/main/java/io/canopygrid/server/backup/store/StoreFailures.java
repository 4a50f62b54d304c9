package io.canopygrid.server.backup.store;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.util.List;

/** Failures of a store as coded errors. */
public final class StoreFailures {
  /** Said by operating systems of a disk without room, and of a user without any left. */
  private static final List<String> NO_ROOM =
      List.of("No space left on device", "Disk quota exceeded", "not enough space");

  private StoreFailures() {}

  /**
   * The error of a store.
   *
   * @return {@link ErrorCode#DISK_FULL} or {@link ErrorCode#BACKUP_STORE_FAILED}
   */
  public static CanopyException coded(BlobStore store, IOException e) {
    String why = message(e);
    return NO_ROOM.stream().anyMatch(why::contains)
        ? new CanopyException(
            ErrorCode.DISK_FULL, store.describe() + ": the disk has no room: " + why, e)
        : new CanopyException(ErrorCode.BACKUP_STORE_FAILED, store.describe() + ": " + why, e);
  }

  private static String message(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return "access to " + denied.getFile() + " is denied";
    }
    if (e instanceof FileAlreadyExistsException exists) {
      return exists.getFile() + " is no directory";
    }
    if (e instanceof NotDirectoryException file) {
      return file.getFile() + " is no directory";
    }
    String reason = e instanceof FileSystemException f ? f.getReason() : null;
    return reason == null ? e.getClass().getSimpleName() + ": " + e.getMessage() : reason;
  }
}
