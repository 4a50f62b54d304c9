package io.canopygrid.server.config;

/** How much is logged. */
public enum LogLevel {
  /** Nothing. */
  OFF,
  /** What must be looked at at once. */
  ERROR,
  /** What should be looked at. */
  WARN,
  /** What happens seldom: members that come and go. */
  INFO,
  /** What developers look for. */
  DEBUG,
  /** Everything. */
  TRACE
}
