package io.canopygrid.roundtrip;

/** Asks one question after the other. Confined to a thread. */
@FunctionalInterface
interface Asker {
  /**
   * Asks; returns when the answer is there.
   *
   * @throws Exception where it is not, or a wrong one
   */
  void ask() throws Exception;
}
