package io.canopygrid.server.endpoint;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.canopygrid.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Captures the log of this project, at the level of a server's default, instead of printing it,
 * until it is closed.
 */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.canopygrid");
  private final List<ILoggingEvent> events = new ArrayList<>();

  /** Captures lines from now on. */
  public LogLines() {
    start();
    logger.addAppender(this);
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
  }

  @Override
  protected void append(ILoggingEvent event) {
    synchronized (events) {
      events.add(event);
    }
  }

  /** The messages of a level. */
  public List<String> of(Level level) {
    return of(level, "");
  }

  /** The messages of a level of loggers whose names begin like this. */
  List<String> of(Level level, String name) {
    synchronized (events) {
      return events.stream()
          .filter(event -> event.getLevel().equals(level))
          .filter(event -> event.getLoggerName().startsWith(name))
          .map(ILoggingEvent::getFormattedMessage)
          .toList();
    }
  }

  /** All lines, with stack traces. */
  public List<String> all() {
    synchronized (events) {
      return events.stream()
          .map(event -> event + " " + ThrowableProxyUtil.asString(event.getThrowableProxy()))
          .toList();
    }
  }

  /** The warnings with a code. */
  public List<String> warnings(ErrorCode code) {
    return of(Level.WARN).stream().filter(text -> text.contains(code.toString())).toList();
  }

  /** Forgets the lines so far. */
  public void clear() {
    synchronized (events) {
      events.clear();
    }
  }

  @Override
  public void close() {
    logger.setLevel(null);
    logger.setAdditive(true);
    logger.detachAppender(this);
    stop();
  }
}
