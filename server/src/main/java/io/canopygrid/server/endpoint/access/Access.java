package io.canopygrid.server.endpoint.access;

/** The rights of one connection's user. Thread-safe. */
public interface Access {
  /** All rights. */
  Access ALL = (right, index) -> {};

  /**
   * Checks one request.
   *
   * @param index the name of an index; empty: no index in particular
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#FORBIDDEN}
   */
  void check(Right right, String index);
}
