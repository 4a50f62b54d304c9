package io.canopygrid.server.endpoint;

import io.canopygrid.btree.serve.ServedNode;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What all connections of an endpoint share. Thread-safe.
 *
 * @param cluster the name of the cluster
 * @param log of slow and aborted transactions
 * @param metricsShown whether {@code /metrics} answers
 * @param draining whether the server is about to stop
 */
record Service(
    ServedNode node,
    String cluster,
    EndpointLimits limits,
    Workers workers,
    CatalogRequests catalog,
    Authentication authentication,
    EndpointMetrics metrics,
    TransactionLog log,
    boolean metricsShown,
    AtomicBoolean draining) {}
