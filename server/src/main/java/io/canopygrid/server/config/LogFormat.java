package io.canopygrid.server.config;

/** The look of a line of the log. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** An object of JSON on each line. */
  JSON
}
