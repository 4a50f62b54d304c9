package io.canopygrid.btree.catalog;

/**
 * Limits of clones.
 *
 * @param graceMillis how long the layers of a clone stay after its end: for transactions that have
 *     begun before
 * @param stepKeys keys that one transaction of a flattening looks at, while nobody comes between
 */
public record CloneLimits(long graceMillis, int stepKeys) {
  /** Far above the time that a transaction takes, and small transactions. */
  public static final CloneLimits DEFAULT = new CloneLimits(600_000, 512);
}
