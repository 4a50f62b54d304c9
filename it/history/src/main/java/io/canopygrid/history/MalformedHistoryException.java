package io.canopygrid.history;

/** A file that is no history: says where and what is wrong with it. */
public final class MalformedHistoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedHistoryException(String message) {
    super(message);
  }

  MalformedHistoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
