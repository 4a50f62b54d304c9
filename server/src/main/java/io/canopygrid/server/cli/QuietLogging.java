package io.canopygrid.server.cli;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps libraries quiet whichever logging they choose: JBoss Logging and JGroups fall back to
 * java.util.logging, whose default is to print every INFO line.
 */
final class QuietLogging {
  /** Held here because java.util.logging keeps its loggers by weak references only. */
  private static final List<Logger> QUIET =
      List.of(
          Logger.getLogger("org.infinispan"),
          Logger.getLogger("org.jgroups"),
          Logger.getLogger("org.jboss"));

  private QuietLogging() {}

  /** To be called before anything logs. Settings that the user has made on the command line win. */
  static void apply() {
    if (System.getProperty("org.jboss.logging.provider") == null) {
      System.setProperty("org.jboss.logging.provider", "slf4j");
    }
    for (Logger logger : QUIET) {
      if (logger.getLevel() == null) {
        logger.setLevel(Level.WARNING);
      }
    }
  }
}
