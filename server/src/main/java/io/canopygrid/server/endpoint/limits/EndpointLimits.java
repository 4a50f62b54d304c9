package io.canopygrid.server.endpoint.limits;

/**
 * The limits of what a server serves at once, and of the time that it takes. Immutable.
 *
 * @param connectionsMax connections of clients; one more is refused at once
 * @param requestsMax requests of one connection that wait or are being carried out; the server
 *     reads no further beyond that
 * @param requestBytesMax bytes that those requests take together, at least one frame; the server
 *     reads no further beyond that
 * @param transactionsMax open transactions of one connection
 * @param cursorsMax open cursors of one connection
 * @param transactionBytesMax bytes of the keys and values that one transaction has written
 * @param stagedBytesMax bytes of the keys and values that all open transactions have written
 * @param workers threads for requests of all connections
 * @param waitingMax requests of all connections that wait for such a thread
 * @param helloMillis until when a client must have authenticated
 * @param idleMillis how long a client may send nothing
 * @param slowMillis how long a frame may take to arrive, and an answer to be taken
 * @param drainMillis how long a server that stops waits for transactions to end
 */
public record EndpointLimits(
    int connectionsMax,
    int requestsMax,
    int requestBytesMax,
    int transactionsMax,
    int cursorsMax,
    long transactionBytesMax,
    long stagedBytesMax,
    int workers,
    int waitingMax,
    long helloMillis,
    long idleMillis,
    long slowMillis,
    long drainMillis) {
  /** The limits of a server whose operator sets none. */
  public static final EndpointLimits DEFAULTS = builder().build();

  /** A builder that begins with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets limits by their names. Not thread-safe. */
  public static final class Builder {
    private int connectionsMax = 10_000;
    private int requestsMax = 256;
    private int requestBytesMax = 1 << 25;
    private int transactionsMax = 1_024;
    private int cursorsMax = 256;
    private long transactionBytesMax = 1L << 26;
    private long stagedBytesMax = 1L << 28;
    private int workers = 64;
    private int waitingMax = 10_000;
    private long helloMillis = 10_000;
    private long idleMillis = 300_000;
    private long slowMillis = 30_000;
    private long drainMillis = 10_000;

    private Builder() {}

    /** Sets {@link EndpointLimits#connectionsMax}. */
    public Builder connectionsMax(int value) {
      connectionsMax = value;
      return this;
    }

    /** Sets {@link EndpointLimits#requestsMax}. */
    public Builder requestsMax(int value) {
      requestsMax = value;
      return this;
    }

    /** Sets {@link EndpointLimits#requestBytesMax}. */
    public Builder requestBytesMax(int value) {
      requestBytesMax = value;
      return this;
    }

    /** Sets {@link EndpointLimits#transactionsMax}. */
    public Builder transactionsMax(int value) {
      transactionsMax = value;
      return this;
    }

    /** Sets {@link EndpointLimits#cursorsMax}. */
    public Builder cursorsMax(int value) {
      cursorsMax = value;
      return this;
    }

    /** Sets {@link EndpointLimits#transactionBytesMax}. */
    public Builder transactionBytesMax(long value) {
      transactionBytesMax = value;
      return this;
    }

    /** Sets {@link EndpointLimits#stagedBytesMax}. */
    public Builder stagedBytesMax(long value) {
      stagedBytesMax = value;
      return this;
    }

    /** Sets {@link EndpointLimits#workers}. */
    public Builder workers(int value) {
      workers = value;
      return this;
    }

    /** Sets {@link EndpointLimits#waitingMax}. */
    public Builder waitingMax(int value) {
      waitingMax = value;
      return this;
    }

    /** Sets {@link EndpointLimits#helloMillis}. */
    public Builder helloMillis(long value) {
      helloMillis = value;
      return this;
    }

    /** Sets {@link EndpointLimits#idleMillis}. */
    public Builder idleMillis(long value) {
      idleMillis = value;
      return this;
    }

    /** Sets {@link EndpointLimits#slowMillis}. */
    public Builder slowMillis(long value) {
      slowMillis = value;
      return this;
    }

    /** Sets {@link EndpointLimits#drainMillis}. */
    public Builder drainMillis(long value) {
      drainMillis = value;
      return this;
    }

    /** The limits as set so far. */
    public EndpointLimits build() {
      return new EndpointLimits(
          connectionsMax,
          requestsMax,
          requestBytesMax,
          transactionsMax,
          cursorsMax,
          transactionBytesMax,
          stagedBytesMax,
          workers,
          waitingMax,
          helloMillis,
          idleMillis,
          slowMillis,
          drainMillis);
    }
  }
}
