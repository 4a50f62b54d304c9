package io.canopygrid.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.canopygrid.server.config.LogFormat;
import io.canopygrid.server.config.LogLevel;
import io.canopygrid.server.config.ServerConfig;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.transaction.LoggedAborts;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import io.canopygrid.server.facts.RecentLines;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.fieldnames.LogstashFieldNames;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Configures the log. A file named with {@code -Dlogback.configurationFile} wins over all settings.
 */
public final class Logs {
  /** The system property of a configuration file of the user's. */
  static final String OWN_CONFIGURATION = "logback.configurationFile";

  /** The system property for developers: loggers that log all levels, with commas between them. */
  private static final String DEBUG = "canopy.debug";

  private static final String TEXT_PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{20} %msg%n";

  /** Loggers whose lines may name keys or people. */
  private static final Set<String> WITH_NAMES = Set.of(TransactionLog.LOGGER, AuditLog.LOGGER);

  private Logs() {}

  /**
   * Logs warnings and errors as text, those of libraries with other logging interfaces too. Called
   * before anything logs.
   */
  public static void begin() {
    if (System.getProperty("org.jboss.logging.provider") == null) {
      System.setProperty("org.jboss.logging.provider", "slf4j");
    }
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  /** Logs as a server's configuration says. */
  public static void apply(ServerConfig.Logging logging) {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (factory instanceof LoggerContext context && System.getProperty(OWN_CONFIGURATION) == null) {
      context.reset();
      setUp(context, logging.format(), logging.level(), logging.levels());
      boolean transactions =
          logging.transactions().slowMillis() > 0
              || logging.transactions().aborts() != LoggedAborts.NONE;
      if (transactions && !logging.levels().containsKey(TransactionLog.LOGGER)) {
        Logger logger = context.getLogger(TransactionLog.LOGGER);
        if (!logger.isInfoEnabled()) {
          logger.setLevel(Level.INFO);
        }
      }
      if (!logging.levels().containsKey(AuditLog.LOGGER)) {
        context.getLogger(AuditLog.LOGGER).setLevel(logging.audit() ? Level.INFO : Level.OFF);
      }
    }
  }

  static void setUp(
      LoggerContext context, LogFormat format, LogLevel level, Map<String, LogLevel> levels) {
    Encoder<ILoggingEvent> encoder = format == LogFormat.JSON ? json() : text();
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    RecentLines recent = new RecentLines(context, TEXT_PATTERN, WITH_NAMES);
    if (levels.keySet().stream().noneMatch(Logs::isOfLibrary)) {
      for (Appender<ILoggingEvent> each : List.of(appender, recent)) {
        LibraryNoise noise = new LibraryNoise();
        noise.start();
        each.addFilter(noise);
      }
    }
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.addAppender(recent);
    root.setLevel(Level.valueOf(level.name()));
    Map<String, LogLevel> all = new TreeMap<>(levels);
    for (String name : System.getProperty(DEBUG, "").split(",", 0)) {
      if (!name.isEmpty()) {
        all.put(name, LogLevel.DEBUG);
      }
    }
    all.forEach((name, own) -> context.getLogger(name).setLevel(Level.valueOf(own.name())));
    JulLevels.apply(level, all);
  }

  private static boolean isOfLibrary(String logger) {
    return LibraryNoise.LIBRARIES.stream().anyMatch(logger::startsWith);
  }

  private static Encoder<ILoggingEvent> text() {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setPattern(TEXT_PATTERN);
    return encoder;
  }

  private static Encoder<ILoggingEvent> json() {
    LogstashFieldNames names = new LogstashFieldNames();
    names.setTimestamp("time");
    names.setVersion("[ignore]");
    names.setLevelValue("[ignore]");
    names.setLogger("logger");
    names.setThread("thread");
    names.setStackTrace("stack");
    LogstashEncoder encoder = new LogstashEncoder();
    encoder.setFieldNames(names);
    encoder.setTimeZone("UTC");
    encoder.addProvider(new ErrorCodeFields());
    return encoder;
  }
}
