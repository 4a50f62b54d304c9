package io.canopygrid.server.endpoint.http;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.Map;

/** A request that HTTP has a status of its own for. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String detail;
  private final String allowed;

  /** A request with this status. */
  RefusedException(int status, String detail) {
    this(status, detail, "");
  }

  /**
   * The same.
   *
   * @param allowed the methods that the path has; empty: it is not about methods
   */
  RefusedException(int status, String detail, String allowed) {
    super(detail);
    this.status = status;
    this.detail = detail;
    this.allowed = allowed;
  }

  ApiResponse answer() {
    Map<String, String> headers = allowed.isEmpty() ? Map.of() : Map.of("allow", allowed);
    return ProblemAnswer.of(
        status, new CanopyException(ErrorCode.INVALID_ARGUMENT, detail), headers);
  }
}
