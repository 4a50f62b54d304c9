package io.canopygrid.gmu;

/**
 * What a copy has of a kcl, the header left out.
 *
 * @param entries how many are live
 * @param bytes of their keys and newest values
 */
public record KclSize(long entries, long bytes) {
  /** Nothing. */
  public static final KclSize NONE = new KclSize(0, 0);
}
