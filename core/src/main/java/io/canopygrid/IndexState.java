package io.canopygrid;

/** How far a secondary index of a table is. */
public enum IndexState {
  /** Writers keep it up to date, but not all rows of before are in it yet: it cannot be read. */
  BUILDING,
  /** It has all rows. */
  READY,
  /** It is not kept up to date any more, and its entries are being removed. */
  DROPPING
}
