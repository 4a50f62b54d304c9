package io.canopygrid.gmu;

/**
 * The size of a kcl in one copy, without the header.
 *
 * @param entries how many are live
 * @param bytes of their keys and newest values
 */
public record KclSize(long entries, long bytes) {
  /** Nothing. */
  public static final KclSize NONE = new KclSize(0, 0);
}
