package io.canopygrid;

/** The progress of a secondary index of a table. */
public enum IndexState {
  /** Writers keep the index up to date, but it lacks some older rows, and cannot be read yet. */
  BUILDING,
  /** The index has all rows. */
  READY,
  /** Writers do not keep the index up to date any more, and its entries are being removed. */
  DROPPING
}
