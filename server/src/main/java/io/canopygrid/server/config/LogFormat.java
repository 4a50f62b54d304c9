package io.canopygrid.server.config;

/** How a line of the log looks. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** An object of JSON on each line. */
  JSON
}
