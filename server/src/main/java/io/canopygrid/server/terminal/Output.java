package io.canopygrid.server.terminal;

/** How results are written. */
public enum Output {
  /** For people. */
  TABLE,
  /** One object per line. */
  JSON
}
