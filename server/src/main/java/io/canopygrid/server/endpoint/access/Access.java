package io.canopygrid.server.endpoint.access;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;

/** The rights of one connection's user. Thread-safe. */
public interface Access {
  /** All rights. */
  Access ALL =
      new Access() {
        @Override
        public void check(Right right, String index) {}

        @Override
        public boolean isKnownToAllow(Right right, String index) {
          return true;
        }
      };

  /**
   * Checks one request.
   *
   * @param index the name of an index; empty: no index in particular
   * @throws CanopyException {@link ErrorCode#FORBIDDEN}
   */
  void check(Right right, String index);

  /**
   * Whether {@link #check} passes; may ask for the rights of the user, as that does.
   *
   * @param index the name of an index; empty: no index in particular
   */
  default boolean allows(Right right, String index) {
    try {
      check(right, index);
      return true;
    } catch (CanopyException e) {
      if (e.code() == ErrorCode.FORBIDDEN) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Whether {@link #check} would pass and nobody has to be asked for that. Does not block.
   *
   * @param index the name of an index
   */
  default boolean isKnownToAllow(Right right, String index) {
    return false;
  }
}
