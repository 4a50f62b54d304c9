package io.canopygrid;

import java.time.Duration;
import java.time.Instant;

/**
 * The options of a transaction. Immutable and thread-safe.
 *
 * @param label names the transaction in statistics and in the errors of those it gets in the way
 *     of; at most {@value Limits#LABEL_MAX} characters, may be empty
 * @param timeout for all attempts together, from 1 ms to 1 hour; past it {@link ErrorCode#TIMEOUT}
 * @param maxAttempts how often a body is run at most, from 1 to {@value #MAX_ATTEMPTS_MOST}; past
 *     it {@link ErrorCode#RETRIES_EXHAUSTED}
 * @param isolation what it may assume about other transactions
 * @param after what it must see, beside all that its handle has seen
 * @param readFrom which copies of the data it reads
 * @param snapshot the name of the snapshot that it reads; empty: it reads the present. Only for
 *     {@link Canopy#read}, and with the default isolation; of {@code after} only the grid counts
 */
public record TransactionOptions(
    String label,
    Duration timeout,
    int maxAttempts,
    Isolation isolation,
    CausalToken after,
    ReadFrom readFrom,
    String snapshot) {
  /** Greatest {@link #maxAttempts}. */
  public static final int MAX_ATTEMPTS_MOST = 10_000;

  /** Least {@link #timeout}. */
  public static final Duration TIMEOUT_MIN = Duration.ofMillis(1);

  /** Greatest {@link #timeout}. */
  public static final Duration TIMEOUT_MAX = Duration.ofHours(1);

  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

  /**
   * No label, 10 s, 50 attempts, {@link Isolation#UPDATE_SERIALIZABLE}, after nothing, from
   * primaries.
   */
  public static final TransactionOptions DEFAULTS =
      new TransactionOptions(
          "",
          Duration.ofSeconds(10),
          50,
          Isolation.UPDATE_SERIALIZABLE,
          CausalToken.NONE,
          ReadFrom.PRIMARY,
          "");

  /**
   * Checks the ranges.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} outside of them, {@link
   *     ErrorCode#NULL_NOT_ALLOWED} for null
   */
  public TransactionOptions {
    Arguments.notNull("label", label);
    Arguments.notNull("timeout", timeout);
    Arguments.notNull("isolation", isolation);
    Arguments.notNull("after", after);
    Arguments.notNull("readFrom", readFrom);
    Arguments.notNull("snapshot", snapshot);
    if (label.length() > Limits.LABEL_MAX) {
      throw Arguments.invalid(
          "label has " + label.length() + " characters, at most " + Limits.LABEL_MAX);
    }
    Arguments.inRange("timeout", timeout, TIMEOUT_MIN, TIMEOUT_MAX);
    Arguments.inRange("maxAttempts", maxAttempts, 1, MAX_ATTEMPTS_MOST);
  }

  /** The defaults with a label. */
  public static TransactionOptions labelled(String label) {
    return DEFAULTS.withLabel(label);
  }

  /** These options with another label. */
  public TransactionOptions withLabel(String name) {
    return new TransactionOptions(name, timeout, maxAttempts, isolation, after, readFrom, snapshot);
  }

  /** These options with another time for all attempts together. */
  public TransactionOptions withTimeout(Duration limit) {
    return new TransactionOptions(label, limit, maxAttempts, isolation, after, readFrom, snapshot);
  }

  /** These options with another number of attempts. */
  public TransactionOptions withMaxAttempts(int attempts) {
    return new TransactionOptions(label, timeout, attempts, isolation, after, readFrom, snapshot);
  }

  /** These options with another isolation. */
  public TransactionOptions withIsolation(Isolation level) {
    return new TransactionOptions(label, timeout, maxAttempts, level, after, readFrom, snapshot);
  }

  /**
   * These options with another token whose past the transaction must see. Where a power cut has
   * taken commits that the token may have seen, each transaction that is to begin with it is
   * refused ({@link ErrorCode#COMMITS_LOST}): go on without it.
   */
  public TransactionOptions withAfter(CausalToken token) {
    return new TransactionOptions(
        label, timeout, maxAttempts, isolation, token, readFrom, snapshot);
  }

  /** These options with other copies to read. */
  public TransactionOptions withReadFrom(ReadFrom copies) {
    return new TransactionOptions(label, timeout, maxAttempts, isolation, after, copies, snapshot);
  }

  /**
   * These options for going on with a cursor's token ({@link ReadView#resume}): in the very
   * snapshot that the cursor read, if that was a named one; else after all that it has seen. When
   * that snapshot is dropped, {@link ErrorCode#UNKNOWN_SNAPSHOT} says so, also where there is
   * another one of the same name by then. In another grid the token is refused ({@link
   * ErrorCode#INVALID_TOKEN}), and it may be {@link ErrorCode#COMMITS_LOST} after a power cut.
   */
  public TransactionOptions resuming(ResumeToken token) {
    Arguments.notNull("the resume token", token);
    TransactionOptions later = withAfter(after.join(token.seen()));
    return token.snapshot().isEmpty() ? later : later.at(token.snapshot());
  }

  /**
   * These options for reading the past: a state of the whole grid from before this time, the newest
   * one that is kept. Nothing in it was committed after this time, and all is in it that was told
   * as committed a step before: {@code cluster.retention} says for how long states are kept, and a
   * step is a thousandth part of that, at least a second. For a time that is nearer than a step the
   * transaction waits until the state is there.
   *
   * <p>A time from before what is kept is {@link ErrorCode#UNKNOWN_SNAPSHOT}, as every time is
   * where nothing is kept; one that has not come within the transaction's time is {@link
   * ErrorCode#TIMEOUT}, and one that is more than an hour ahead {@link ErrorCode#INVALID_ARGUMENT}.
   * Times are those of the nodes' clocks.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} for a time before 1970, or one that
   *     has no milliseconds since then
   */
  public TransactionOptions asOf(Instant time) {
    Arguments.notNull("the time", time);
    if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
      throw Arguments.invalid("the time must be from 1970 to " + LATEST + ": " + time);
    }
    return at("@" + time.toEpochMilli());
  }

  /** These options for reading the named snapshot, see {@link Canopy#snapshot}. */
  public TransactionOptions at(String name) {
    return new TransactionOptions(label, timeout, maxAttempts, isolation, after, readFrom, name);
  }
}
