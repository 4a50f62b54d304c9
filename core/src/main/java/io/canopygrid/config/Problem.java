package io.canopygrid.config;

/**
 * A problem of a configuration.
 *
 * @param at where
 * @param text what, in words
 * @param nearest the name that may have been meant; empty: none
 */
public record Problem(Place at, String text, String nearest) {
  /** A problem without a nearest name. */
  public static Problem at(Place at, String text) {
    return new Problem(at, text, "");
  }

  /** {@code canopy.yaml:3:5: unknown name 'prot', did you mean 'port'?} */
  @Override
  public String toString() {
    return at + ": " + text + (nearest.isEmpty() ? "" : ", did you mean '" + nearest + "'?");
  }
}
