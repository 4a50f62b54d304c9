package io.canopygrid.server.endpoint.access;

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
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#FORBIDDEN}
   */
  void check(Right right, String index);

  /**
   * Whether {@link #check} would pass and nobody has to be asked for that. Does not block.
   *
   * @param index the name of an index
   */
  default boolean isKnownToAllow(Right right, String index) {
    return false;
  }
}
