package io.canopygrid.server.facts;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * The last lines of the log, in memory. A JVM has one log, so there is one such list. Lines of
 * loggers that may name keys or people are not in it, nor are those for developers. Thread-safe.
 */
public final class RecentLines extends AppenderBase<ILoggingEvent> {
  private static final int LINES_MAX = 500;

  /** A longer line, as one with a trace, is cut. */
  private static final int CHARS_MAX = 4_000;

  private static final Deque<String> LINES = new ArrayDeque<>();

  private final PatternLayout layout = new PatternLayout();
  private final Set<String> without;

  /**
   * An appender that is started, and is to be added to a logger.
   *
   * @param pattern of a line
   * @param without the loggers whose lines are not in it
   */
  public RecentLines(LoggerContext context, String pattern, Set<String> without) {
    this.without = without;
    setContext(context);
    setName("recent");
    layout.setContext(context);
    layout.setPattern(pattern);
    layout.start();
    start();
  }

  /** The lines, oldest first. */
  public static List<String> lines() {
    synchronized (LINES) {
      return List.copyOf(LINES);
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (without.contains(event.getLoggerName()) || !event.getLevel().isGreaterOrEqual(Level.INFO)) {
      return;
    }
    String line = layout.doLayout(event).stripTrailing();
    synchronized (LINES) {
      if (LINES.size() == LINES_MAX) {
        LINES.removeFirst();
      }
      LINES.addLast(line.length() <= CHARS_MAX ? line : line.substring(0, CHARS_MAX) + "…");
    }
  }
}
