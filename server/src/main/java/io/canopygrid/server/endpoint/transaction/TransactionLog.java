package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The log of transactions of clients that were slow or aborted, with the reason in words. The lines
 * of a minute have a maximum; lines beyond it are counted, and the next line after that minute
 * tells their number. A conflict, after which a client runs its transaction again, is logged below
 * INFO unless {@link LoggedAborts#ALL} is set. Thread-safe.
 */
public final class TransactionLog {
  /** The logger's name. */
  public static final String LOGGER = "io.canopygrid.transactions";

  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Settings settings;
  private final LongSupplier nanoTime;
  private final AtomicLong slow = new AtomicLong();
  private final AtomicLong leftOut = new AtomicLong();
  private long minuteBeganNanos;
  private int linesInMinute;
  private long leftOutInMinute;

  /**
   * The settings of the log.
   *
   * @param slowMillis a transaction that takes longer is slow; 0: no transaction is
   * @param aborts which aborted transactions are logged
   * @param linesPerMinuteMax how many lines a minute has at most
   */
  public record Settings(long slowMillis, LoggedAborts aborts, int linesPerMinuteMax) {
    /** The settings of a server whose operator makes none. */
    public static final Settings DEFAULTS = new Settings(1_000, LoggedAborts.FAILED, 60);
  }

  /**
   * A transaction that has ended.
   *
   * @param id its id; empty: it has never begun, or it is a function's, which may have begun
   *     several
   * @param function the registered function that ran it; empty: none
   * @param label the client's label for it
   * @param client the user and address
   * @param requests how many requests its client made
   * @param remoteRequests how many requests to other nodes these caused; 0 for a function that has
   *     failed
   * @param nanos how long it took
   * @param queuedNanos how much of that time its requests waited for a thread
   * @param busyNanos how much of that time its requests were carried out, without the commit
   * @param commitNanos how long its commit took; 0: there was none
   */
  record Ended(
      String id,
      String function,
      String label,
      String client,
      int requests,
      int remoteRequests,
      long nanos,
      long queuedNanos,
      long busyNanos,
      long commitNanos) {}

  /** Creates a log with a clock of nanoseconds. */
  public TransactionLog(Settings settings, LongSupplier nanoTime) {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.minuteBeganNanos = nanoTime.getAsLong();
  }

  /** The number of slow transactions. */
  public long slow() {
    return slow.get();
  }

  /** The number of lines that were left out. */
  public long leftOut() {
    return leftOut.get();
  }

  /** Whether a transaction that took so long is slow. */
  boolean isSlow(long nanos) {
    return settings.slowMillis() != 0
        && TimeUnit.NANOSECONDS.toMillis(nanos) > settings.slowMillis();
  }

  /** Logs a transaction that came to its intended end, if it was slow. */
  void ended(Ended ended) {
    if (!isSlow(ended.nanos())) {
      return;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(ended.nanos());
    slow.incrementAndGet();
    if (mayLog()) {
      line(Level.INFO, ended).log("{} was slow: {} ms, {}", name(ended), millis, reason(ended));
    }
  }

  /**
   * Logs a transaction that was aborted, if such aborts are logged.
   *
   * @param failure the error that aborted it; null: the server ended it
   * @param why the server's reason in words, where it ended it
   */
  void aborted(Ended ended, @Nullable CanopyException failure, String why) {
    boolean conflict = failure != null && isConflict(failure.code());
    boolean wanted =
        switch (settings.aborts()) {
          case NONE -> false;
          case FAILED -> !conflict;
          case ALL -> true;
        };
    if (!wanted && !LOG.isDebugEnabled()) {
      return;
    }
    if (wanted && !mayLog()) {
      return;
    }
    LoggingEventBuilder line = line(wanted ? Level.INFO : Level.DEBUG, ended);
    if (failure != null) {
      line = line.addKeyValue("code", failure.code().id());
      line = line.addKeyValue("commitState", failure.commitState());
    }
    line.log(
        "{} was aborted after {} ms: {}",
        name(ended),
        TimeUnit.NANOSECONDS.toMillis(ended.nanos()),
        failure == null ? why : inWords(failure, ended));
  }

  /** The error; with what took the time where that is over. */
  private static String inWords(CanopyException failure, Ended ended) {
    String said = failure.code() + ": " + failure.detail();
    return failure.code() == ErrorCode.TIMEOUT ? said + "; " + reason(ended) : said;
  }

  /**
   * Whether others were first, which is no failure: the client tries again, or has asked for it.
   */
  private static boolean isConflict(ErrorCode code) {
    return code == ErrorCode.WRITE_CONFLICT
        || code == ErrorCode.LOCK_TIMEOUT
        || code == ErrorCode.CHECK_FAILED;
  }

  private static LoggingEventBuilder line(Level level, Ended ended) {
    return LOG.atLevel(level)
        .addKeyValue("transaction", ended.id())
        .addKeyValue("function", ended.function())
        .addKeyValue("label", ended.label())
        .addKeyValue("client", ended.client())
        .addKeyValue("millis", TimeUnit.NANOSECONDS.toMillis(ended.nanos()))
        .addKeyValue("commitMillis", TimeUnit.NANOSECONDS.toMillis(ended.commitNanos()))
        .addKeyValue("requests", ended.requests())
        .addKeyValue("remoteRequests", ended.remoteRequests());
  }

  private static String name(Ended ended) {
    String what =
        ended.function().isEmpty()
            ? "transaction " + ended.id()
            : "function '" + ended.function() + "'";
    String label = ended.label().isEmpty() ? "" : " '" + ended.label() + "'";
    return (what + label).replaceAll("\\p{Cntrl}", "?") + " of " + ended.client();
  }

  /** The part that took most of the time, in words. */
  private static String reason(Ended ended) {
    if (!ended.function().isEmpty() && ended.queuedNanos() < ended.busyNanos()) {
      String asked =
          ended.remoteRequests() == 0
              ? ""
              : ", which asked other nodes " + ended.remoteRequests() + " times";
      return "most of it running, commit and conflicts included: "
          + millis(ended.busyNanos())
          + " ms"
          + asked;
    }
    long atServerNanos = ended.queuedNanos() + ended.busyNanos() + ended.commitNanos();
    long clientNanos = ended.nanos() - atServerNanos;
    long most =
        LongStream.of(clientNanos, ended.queuedNanos(), ended.commitNanos(), ended.busyNanos())
            .max()
            .orElseThrow();
    if (clientNanos == most) {
      return "most of it between the requests of its client: " + millis(clientNanos) + " ms";
    }
    if (ended.queuedNanos() == most) {
      return "most of it waiting for a thread of this server, all of which were busy: "
          + millis(ended.queuedNanos())
          + " ms";
    }
    if (ended.commitNanos() == most) {
      return "most of it in its commit, for locks and the copies on other nodes: "
          + millis(ended.commitNanos())
          + " ms";
    }
    return String.format(
        Locale.ROOT,
        "most of it reading: %d ms for %d requests, which asked other nodes %d times",
        millis(ended.busyNanos()),
        ended.requests(),
        ended.remoteRequests());
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /** Whether this minute has room for a line; logs first how many lines the last one left out. */
  private boolean mayLog() {
    long told = 0;
    synchronized (this) {
      long now = nanoTime.getAsLong();
      if (now - minuteBeganNanos >= MINUTE_NANOS) {
        minuteBeganNanos = now;
        linesInMinute = 0;
        told = leftOutInMinute;
        leftOutInMinute = 0;
      }
      if (linesInMinute == settings.linesPerMinuteMax()) {
        leftOutInMinute++;
        leftOut.incrementAndGet();
        return false;
      }
      linesInMinute++;
    }
    if (told > 0) {
      LOG.info(
          "{} more slow or aborted transactions were not logged, as there were too many", told);
    }
    return true;
  }
}
