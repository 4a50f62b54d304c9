package io.canopygrid.server.endpoint;

/**
 * How much is served at most, and for how long. Immutable.
 *
 * @param connectionsMax connections; one more is told goodbye at once
 * @param requestsMax requests of one connection that wait or are being carried out; it is not read
 *     on beyond that
 * @param requestBytesMax what those take together, at least one frame: the same
 * @param transactionsMax open transactions of one connection
 * @param cursorsMax open cursors of one connection
 * @param transactionBytesMax keys and values that one transaction has written
 * @param stagedBytesMax the same of all open transactions of all connections
 * @param workers threads for requests of all connections
 * @param waitingMax requests of all connections that wait for such a thread
 * @param helloMillis until when a connection must have said who it is
 * @param idleMillis how long a client may say nothing
 * @param slowMillis how long a frame may take to arrive, and an answer to be taken
 * @param drainMillis how long a server that is to stop waits for transactions to end
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
  /** What is right for most. */
  public static final EndpointLimits DEFAULTS =
      new EndpointLimits(
          10_000, 256, 1 << 25, 1_024, 256, 1L << 26, 1L << 28, 64, 10_000, 10_000, 300_000, 30_000,
          10_000);

  /** These limits with other times. */
  public EndpointLimits withTimes(long hello, long idle, long slow, long drain) {
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
        hello,
        idle,
        slow,
        drain);
  }

  /** These limits with so many connections at most. */
  public EndpointLimits withConnections(int connections) {
    return new EndpointLimits(
        connections,
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

  /** These limits with so many bytes written by open transactions at most. */
  public EndpointLimits withStagedBytes(long bytes) {
    return new EndpointLimits(
        connectionsMax,
        requestsMax,
        requestBytesMax,
        transactionsMax,
        cursorsMax,
        transactionBytesMax,
        bytes,
        workers,
        waitingMax,
        helloMillis,
        idleMillis,
        slowMillis,
        drainMillis);
  }

  /** These limits with others for each connection. */
  public EndpointLimits withPerConnection(int requests, int transactions, int cursors, long bytes) {
    return new EndpointLimits(
        connectionsMax,
        requests,
        requestBytesMax,
        transactions,
        cursors,
        bytes,
        stagedBytesMax,
        workers,
        waitingMax,
        helloMillis,
        idleMillis,
        slowMillis,
        drainMillis);
  }
}
