package io.canopygrid.server.logging;

import io.canopygrid.server.config.LogLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Sets the levels of java.util.logging, which JGroups uses. */
final class JulLevels {
  /**
   * The loggers that were set, held here because java.util.logging keeps loggers by weak references
   * only.
   */
  private static final List<Logger> SET = new ArrayList<>();

  private JulLevels() {}

  /** Sets the levels again, since java.util.logging itself decides which lines it hands on. */
  static synchronized void apply(LogLevel all, Map<String, LogLevel> levels) {
    Logger.getLogger("").setLevel(of(all));
    SET.forEach(logger -> logger.setLevel(null));
    SET.clear();
    levels.forEach((name, level) -> {
      Logger logger = Logger.getLogger(name);
      logger.setLevel(of(level));
      SET.add(logger);
    });
  }

  private static Level of(LogLevel level) {
    return switch (level) {
      case OFF -> Level.OFF;
      case ERROR -> Level.SEVERE;
      case WARN -> Level.WARNING;
      case INFO -> Level.INFO;
      case DEBUG -> Level.FINE;
      case TRACE -> Level.ALL;
    };
  }
}
