package io.canopygrid.server.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.canopygrid.server.config.LogFormat;
import io.canopygrid.server.config.LogLevel;
import java.util.Map;

/**
 * Configures Logback in every program with the server on its class path, until {@link Logs#apply}:
 * it logs warnings and errors as text. Commands print their results themselves.
 */
public final class QuietConfigurator extends ContextAwareBase implements Configurator {
  /** For Logback. */
  public QuietConfigurator() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty(Logs.OWN_CONFIGURATION) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    Logs.setUp(context, LogFormat.TEXT, LogLevel.WARN, Map.of());
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
