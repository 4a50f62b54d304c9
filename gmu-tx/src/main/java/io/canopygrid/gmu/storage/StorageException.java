package io.canopygrid.gmu.storage;

import org.jspecify.annotations.Nullable;

/**
 * A disk cannot be used, or not any more. The message names the disk, and says what can be done.
 */
public final class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** Says why, in words and with the cause. */
  public StorageException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Why, as a value. */
  public Reason reason() {
    return reason;
  }

  /** Why. */
  public enum Reason {
    /** Another process has the data directory open. */
    IN_USE,
    /** The data directory cannot be made, read or written: a wrong path, or missing rights. */
    NOT_ACCESSIBLE,
    /** The directory has something else in it, or data of another grid or of another disk. */
    FOREIGN,
    /** The data has the format of another release. */
    OTHER_FORMAT,
    /** The data was changed, or parts of it are missing. */
    DAMAGED,
    /** The class path has no engine, more than one, or one that cannot be loaded. */
    NO_ENGINE,
    /** The disk is full. */
    FULL,
    /** A read, a write or a force has failed. */
    FAILED
  }
}
