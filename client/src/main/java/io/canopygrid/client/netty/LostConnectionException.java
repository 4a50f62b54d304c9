package io.canopygrid.client.netty;

import io.canopygrid.ErrorCode;

/**
 * A connection ended, or there never was one. The client does not know whether the server has
 * carried out a request that was sent.
 */
public final class LostConnectionException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The error that a caller gets. */
  private final ErrorCode code;

  /** Whether the request that this answers can have reached the server. */
  private final boolean sent;

  /**
   * Creates the exception with its reason in words.
   *
   * @param code {@link ErrorCode#NOT_CONNECTED} unless trying again cannot help
   * @param sent whether the request can have reached the server
   */
  LostConnectionException(ErrorCode code, String why, boolean sent) {
    super(why);
    this.code = code;
    this.sent = sent;
  }

  /** The error that a caller gets. */
  public ErrorCode code() {
    return code;
  }

  /** Whether the request that this answers can have reached the server. */
  public boolean sent() {
    return sent;
  }
}
