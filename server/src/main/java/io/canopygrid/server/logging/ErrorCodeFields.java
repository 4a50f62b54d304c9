package io.canopygrid.server.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxy;
import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.CanopyException;
import java.io.IOException;
import net.logstash.logback.composite.AbstractJsonProvider;
import org.jspecify.annotations.Nullable;

/** Adds the fields {@code code} and {@code transaction} to JSON lines about an error of Canopy. */
final class ErrorCodeFields extends AbstractJsonProvider<ILoggingEvent> {
  /** The code is a field of the line itself. */
  private static final String CODE = "code";

  @Override
  public void writeTo(JsonGenerator generator, ILoggingEvent event) throws IOException {
    CanopyException error = error(event.getThrowableProxy());
    if (error == null || hasCode(event)) {
      return;
    }
    generator.writeStringField(CODE, error.code().id());
    String transaction = error.transactionId();
    if (transaction != null) {
      generator.writeStringField("transaction", transaction);
    }
  }

  private static boolean hasCode(ILoggingEvent event) {
    return event.getKeyValuePairs() != null
        && event.getKeyValuePairs().stream().anyMatch(pair -> pair.key.equals(CODE));
  }

  private static @Nullable CanopyException error(@Nullable IThrowableProxy proxy) {
    for (IThrowableProxy at = proxy; at != null; at = at.getCause()) {
      if (at instanceof ThrowableProxy known
          && known.getThrowable() instanceof CanopyException error) {
        return error;
      }
    }
    return null;
  }
}
