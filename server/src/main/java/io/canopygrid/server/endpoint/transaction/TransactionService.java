package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.limits.StagedBytes;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The parts of an endpoint that all transactions of clients share. Thread-safe.
 *
 * @param log of slow and aborted transactions
 * @param staged the bytes that open transactions have written
 * @param open how many transactions are open at the node
 * @param draining whether the server stops, and no transaction begins
 */
public record TransactionService(
    ServedNode node,
    EndpointLimits limits,
    TransactionLog log,
    StagedBytes staged,
    AtomicInteger open,
    AtomicBoolean draining) {
  /** Creates the service with no open transaction. */
  public TransactionService(ServedNode node, EndpointLimits limits, TransactionLog log) {
    this(
        node,
        limits,
        log,
        new StagedBytes(limits.stagedBytesMax()),
        new AtomicInteger(),
        new AtomicBoolean());
  }
}
