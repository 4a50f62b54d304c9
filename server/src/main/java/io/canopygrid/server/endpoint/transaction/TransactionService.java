package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.btree.explain.ExplainedTransactions;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.jobs.ServerJobs;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.limits.StagedBytes;
import io.canopygrid.server.endpoint.traces.ServerSpans;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an endpoint that all transactions of clients share. Thread-safe.
 *
 * @param log of slow and aborted transactions
 * @param explained those whose steps are recorded
 * @param jobs the long jobs of clients
 * @param staged the bytes that open transactions have written
 * @param open how many transactions are open at the node
 * @param draining whether the server stops, and no transaction begins
 * @param spans of transactions within traces; null: there are none
 */
public record TransactionService(
    ServedNode node,
    EndpointLimits limits,
    TransactionLog log,
    ExplainedTransactions explained,
    ServerJobs jobs,
    StagedBytes staged,
    AtomicInteger open,
    AtomicBoolean draining,
    @Nullable ServerSpans spans) {
  /** Creates the service with no open transaction. */
  public TransactionService(
      ServedNode node, EndpointLimits limits, TransactionLog log, @Nullable ServerSpans spans) {
    this(
        node,
        limits,
        log,
        new ExplainedTransactions(System::nanoTime),
        new ServerJobs(node),
        new StagedBytes(limits.stagedBytesMax()),
        new AtomicInteger(),
        new AtomicBoolean(),
        spans);
  }
}
