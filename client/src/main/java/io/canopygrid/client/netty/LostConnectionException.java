package io.canopygrid.client.netty;

import io.canopygrid.ErrorCode;

/**
 * A connection ended, or there never was one. Of a request that was sent nobody knows whether it
 * was carried out.
 */
public final class LostConnectionException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What it is to a caller. */
  private final ErrorCode code;

  /** Whether the request that this answers can have reached the server. */
  private final boolean sent;

  /**
   * Why, in words.
   *
   * @param code {@link ErrorCode#NOT_CONNECTED} unless trying again cannot help
   * @param sent whether the request can have reached the server
   */
  LostConnectionException(ErrorCode code, String why, boolean sent) {
    super(why);
    this.code = code;
    this.sent = sent;
  }

  /** What it is to a caller. */
  public ErrorCode code() {
    return code;
  }

  /** Whether the request that this answers can have reached the server. */
  public boolean sent() {
    return sent;
  }
}
