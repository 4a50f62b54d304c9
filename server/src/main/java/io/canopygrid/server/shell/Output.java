package io.canopygrid.server.shell;

/** How results are written. */
enum Output {
  /** For people. */
  TABLE,
  /** One object per line. */
  JSON
}
