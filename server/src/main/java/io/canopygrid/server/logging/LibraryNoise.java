package io.canopygrid.server.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps out of the log the few lines that Infinispan and JGroups write on ordinary days, when
 * members come, go or die, and that ask nobody to do anything: Canopy has a line of its own for
 * each member, and for a grid that serves nothing. All else that they warn of is let in, lost data
 * and refused messages among them. A level that is set for these libraries' loggers lets in
 * everything.
 */
final class LibraryNoise extends Filter<ILoggingEvent> {
  static final List<String> LIBRARIES = List.of("org.infinispan", "org.jgroups");

  private static final List<Noise> NOISE =
      List.of(
          // A member speaks before this node's part for it has begun; it repeats itself.
          new Noise("org.jgroups", "fork-stack for id=canopy not found", null, null),
          new Noise("org.jgroups", "fork-channel for id=", null, null),
          // A grid is founded from its disks, and one member joins after the other.
          new Noise("org.infinispan", "ISPN000689: Recovering cache 'canopy.", null, null),
          // Half of the members or a shard are lost: Canopy says which members, with a code.
          new Noise("org.infinispan", "ISPN000314", null, null),
          new Noise("org.infinispan", "entering degraded mode", null, null),
          // A node that starts asks whether somebody listens here: it connects, and says nothing.
          new Noise("org.jgroups", "]: java.io.EOFException", null, null),
          // The other end of a connection has gone before this one.
          new Noise("org.jgroups", "failed sending graceful close", null, null),
          // This end closes a connection while it reads.
          new Noise(
              "org.jgroups", "failed handling message", "java.io.IOException", "Stream closed"),
          // The collector of traces is away: Canopy says so once, with a code.
          new Noise("io.opentelemetry.exporter", "Failed to export", null, null),
          // Canopy itself gives up a phase of a rebalance, since another topology follows.
          new Noise(
              "org.infinispan",
              "ISPN000452",
              "org.infinispan.commons.IllegalLifecycleStateException",
              null));

  /**
   * A line that is left out.
   *
   * @param library the beginning of the logger's name
   * @param text a part of the message
   * @param cause the class of the error at the root of what is logged with it; null: any or none
   * @param causeText that error's message; null: any or none
   */
  private record Noise(
      String library, String text, @Nullable String cause, @Nullable String causeText) {
    boolean matches(ILoggingEvent event) {
      String message = event.getFormattedMessage();
      return event.getLoggerName().startsWith(library)
          && message != null
          && message.contains(text)
          && (cause == null || isCausedBy(root(event)));
    }

    private boolean isCausedBy(@Nullable IThrowableProxy root) {
      return root != null
          && root.getClassName().equals(cause)
          && (causeText == null || causeText.equals(root.getMessage()));
    }

    private static @Nullable IThrowableProxy root(ILoggingEvent event) {
      IThrowableProxy root = event.getThrowableProxy();
      while (root != null && root.getCause() != null) {
        root = root.getCause();
      }
      return root;
    }
  }

  @Override
  public FilterReply decide(ILoggingEvent event) {
    return NOISE.stream().anyMatch(noise -> noise.matches(event))
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
