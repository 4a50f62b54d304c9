package io.canopygrid;

/** The fixed limits of what an index can hold. Going past one is a coded error, never a cut. */
public final class Limits {
  /** Longest encoded key in bytes; past it {@link ErrorCode#KEY_TOO_LARGE}. */
  public static final int KEY_BYTES_MAX = 8 * 1024;

  /** Longest encoded value in bytes; past it {@link ErrorCode#VALUE_TOO_LARGE}. */
  public static final int VALUE_BYTES_MAX = 8 * 1024 * 1024;

  /** Longest index name in characters; past it {@link ErrorCode#INVALID_INDEX_NAME}. */
  public static final int INDEX_NAME_MAX = 128;

  /** Longest id of a codec in characters; past it {@link ErrorCode#INVALID_ARGUMENT}. */
  public static final int CODEC_ID_MAX = 1024;

  /** Longest transaction label in characters; past it {@link ErrorCode#INVALID_ARGUMENT}. */
  public static final int LABEL_MAX = 64;

  /** Longest arguments of a function in bytes; past it {@link ErrorCode#INVALID_ARGUMENT}. */
  public static final int ARGUMENT_BYTES_MAX = 1024 * 1024;

  /** Longest result of a function in bytes; past it {@link ErrorCode#VALUE_TOO_LARGE}. */
  public static final int RESULT_BYTES_MAX = 64 * 1024;

  /** Longest time for a function in minutes; past it {@link ErrorCode#INVALID_ARGUMENT}. */
  public static final int FUNCTION_MINUTES_MAX = 5;

  /**
   * Most indexes that a read of a clone may have to look at below the clone; past it {@link
   * ErrorCode#CLONE_TOO_DEEP}.
   */
  public static final int CLONE_DEPTH_MAX = 8;

  private Limits() {}
}
