package io.canopygrid.server.endpoint.access;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.terminal.Printable;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The log of who logged in, and of who changed users, rights, structure, schema or the cluster
 * itself. Where clients need not say who they are, nothing is logged. Thread-safe.
 */
public final class AuditLog {
  /** The logger's name. */
  public static final String LOGGER = "io.canopygrid.audit";

  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

  /** Errors of waits, after which a change may have been made, or goes on. */
  private static final Set<ErrorCode> OF_WAITS =
      Set.of(
          ErrorCode.TIMEOUT,
          ErrorCode.SHARD_UNAVAILABLE,
          ErrorCode.INTERRUPTED,
          ErrorCode.CANOPY_CLOSED);

  private final boolean isKept;

  private AuditLog(boolean isKept) {
    this.isKept = isKept;
  }

  /** The log of a server whose clients prove in this way who they are. */
  public static AuditLog of(Authentication authentication) {
    return where(!authentication.mechanisms().isEmpty());
  }

  /**
   * The log of a server.
   *
   * @param isGuarded whether clients must say who they are
   */
  public static AuditLog where(boolean isGuarded) {
    return new AuditLog(isGuarded);
  }

  /** Whether anything is logged. */
  public boolean isKept() {
    return isKept;
  }

  /**
   * A kind of change.
   *
   * @param event its name, {@code index.move}
   * @param words what it does to what, {@code moves a subtree of index 'people' to vm2}
   */
  public record Change(String event, String words) {}

  /**
   * A client has proved who it is.
   *
   * @param client the user and address
   * @param protocol by which it came
   */
  public void loggedIn(String client, String protocol) {
    if (isKept) {
      line(client, "login", "done").log("{} logged in by {}", Printable.line(client), protocol);
    }
  }

  /**
   * A client has not proved who it is.
   *
   * @param client the address
   * @param user the user that it claims to be; empty: none is known
   */
  public void refused(String client, String user, String protocol, CanopyException why) {
    if (isKept) {
      line(client, "login", "refused")
          .addKeyValue("user", user)
          .addKeyValue("code", why.code().id())
          .log(
              "{} was refused by {}{}: {}: {}",
              Printable.line(client),
              protocol,
              user.isEmpty() ? "" : " as " + quoted(user),
              why.code(),
              Printable.line(why.detail()));
    }
  }

  /** A name in quotes. It was chosen by a client, and neither ends the quotes nor the line. */
  public static String quoted(String name) {
    return "'" + Printable.line(name.replace("\\", "\\\\").replace("'", "\\'")) + "'";
  }

  /**
   * Makes a change, and logs how it ended.
   *
   * @param client the user and address
   * @param happens whether an answer says that something has changed
   */
  public <T> T change(String client, Change change, Supplier<T> made, Predicate<T> happens) {
    if (!isKept) {
      return made.get();
    }
    T answer;
    try {
      answer = made.get();
    } catch (CanopyException e) {
      boolean isKnown = e.commitState() != CommitState.UNKNOWN && !OF_WAITS.contains(e.code());
      failed(client, change, isKnown ? "refused" : "unknown", e.code(), e.detail());
      throw e;
    } catch (RuntimeException e) {
      failed(client, change, "unknown", ErrorCode.INTERNAL_ERROR, e.toString());
      throw e;
    }
    if (happens.test(answer)) {
      line(client, change.event(), "done")
          .log("{} {}: done", Printable.line(client), Printable.line(change.words()));
    }
    return answer;
  }

  private static void failed(
      String client, Change change, String outcome, ErrorCode code, String why) {
    line(client, change.event(), outcome)
        .addKeyValue("code", code.id())
        .log(
            "{} {}: {}, {}: {}",
            Printable.line(client),
            Printable.line(change.words()),
            outcome,
            code,
            Printable.line(why));
  }

  private static LoggingEventBuilder line(String client, String event, String outcome) {
    return LOG.atInfo()
        .addKeyValue("event", event)
        .addKeyValue("client", client)
        .addKeyValue("outcome", outcome);
  }
}
