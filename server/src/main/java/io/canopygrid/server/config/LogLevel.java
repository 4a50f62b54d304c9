package io.canopygrid.server.config;

/** The amount of logging. */
public enum LogLevel {
  /** Nothing. */
  OFF,
  /** Events that must be looked at at once. */
  ERROR,
  /** Events that should be looked at. */
  WARN,
  /** Events that happen seldom: members that come and go. */
  INFO,
  /** Details that developers look for. */
  DEBUG,
  /** Everything. */
  TRACE
}
