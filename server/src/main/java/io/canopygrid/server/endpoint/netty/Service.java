package io.canopygrid.server.endpoint.netty;

import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.server.endpoint.feed.FeedRequests;
import io.canopygrid.server.endpoint.http.Api;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.limits.WorkerPool;
import io.canopygrid.server.endpoint.metrics.EndpointMetrics;
import io.canopygrid.server.endpoint.transaction.TransactionService;
import java.util.function.Supplier;

/**
 * The parts of an endpoint that all its connections share. Thread-safe.
 *
 * @param cluster the name of the cluster
 * @param metricsShown whether {@code /metrics} answers
 * @param address where clients reach it, {@code host:port}; known when its port is open
 */
public record Service(
    TransactionService transactions,
    String cluster,
    WorkerPool workers,
    CatalogRequests catalog,
    FeedRequests feeds,
    Authentication authentication,
    AuditLog audit,
    EndpointMetrics metrics,
    boolean metricsShown,
    Api api,
    Supplier<String> address) {
  ServedNode node() {
    return transactions.node();
  }

  EndpointLimits limits() {
    return transactions.limits();
  }

  boolean isDraining() {
    return transactions.draining().get();
  }
}
