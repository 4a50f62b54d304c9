package io.canopygrid.server.endpoint;

/** What the user of one connection may do. Thread-safe. */
public interface Access {
  /** Everything. */
  Access ALL = (right, index) -> {};

  /**
   * Checks one request.
   *
   * @param index the name of an index; empty: no index in particular
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#FORBIDDEN}
   */
  void check(Right right, String index);
}
