package io.canopygrid.server.top;

import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats;
import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.Subtree;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.state.DataVerdict;
import io.canopygrid.server.state.WorkVerdict;
import io.canopygrid.server.top.TopSample.Counts;
import io.canopygrid.server.top.TopSample.IndexUse;
import io.canopygrid.server.top.TopSample.Use;
import io.canopygrid.wire.client.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Looks at a cluster by the protocol of clients: one server tells of the state and the indexes,
 * each server of its own transactions. Confined to one thread at a time.
 */
final class TopSampler {
  /** A server that cannot be reached costs a time-out, so it is left out of so many looks. */
  private static final int LOOKS_WITHOUT = 10;

  /** The label of the transactions in which servers look up each other's addresses. */
  private static final String OWN_LABEL = "canopy.addresses";

  private final RemoteCanopy db;
  private final LongSupplier nanoTime;
  private final Map<String, Integer> leftOut = new HashMap<>();

  TopSampler(RemoteCanopy db, LongSupplier nanoTime) {
    this.db = db;
    this.nanoTime = nanoTime;
  }

  /**
   * Looks once.
   *
   * @throws CanopyException where no server tells the state
   */
  TopSample take() {
    Reply.Status status = db.status();
    DataVerdict data = DataVerdict.of(status, db.disks());
    WorkVerdict work = WorkVerdict.of(db.work());
    Map<String, Counts> counts = new HashMap<>();
    for (Reply.NodeStatus node : status.nodes()) {
      counts(node).ifPresent(told -> counts.put(node.node(), told));
    }
    long nanos = nanoTime.getAsLong();
    return new TopSample(nanos, status, data, work, counts, indexes());
  }

  private Optional<Counts> counts(Reply.NodeStatus node) {
    String address = node.clientAddress();
    int left = leftOut.getOrDefault(node.node(), 0);
    if (left > 0) {
      leftOut.put(node.node(), left - 1);
    }
    if (left > 0 || address.isEmpty() || !node.reachable() || node.version().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(counts(db.serverStats(address).stats()));
    } catch (CanopyException e) {
      rethrowUnlessAway(e);
      leftOut.put(node.node(), LOOKS_WITHOUT);
      return Optional.empty();
    }
  }

  /** All but those that each look at the state causes itself. */
  private static Counts counts(CanopyStats stats) {
    TransactionStats all = stats.total();
    TransactionStats own = stats.byLabel().get(OWN_LABEL);
    return new Counts(
        all.commits() - (own == null ? 0 : own.commits()),
        all.abortsOfAllCodes() - (own == null ? 0 : own.abortsOfAllCodes()),
        all.latency());
  }

  /** The user's own mistakes and a handle that is closed end the command. */
  private static void rethrowUnlessAway(CanopyException e) {
    if (e.code() == ErrorCode.UNAUTHENTICATED || e.code() == ErrorCode.INTERRUPTED) {
      throw e;
    }
  }

  private List<IndexUse> indexes() {
    List<IndexUse> uses = new ArrayList<>();
    for (Reply.IndexOpened index : db.catalog().indexes()) {
      try {
        uses.add(use(index.name(), db.structure(index.name()).subtrees()));
      } catch (CanopyException e) {
        // An index that was dropped meanwhile, or that this user may not read, is left out.
        rethrowUnlessAway(e);
      }
    }
    return uses;
  }

  private static IndexUse use(String index, List<Subtree> subtrees) {
    Map<String, Use> byNode = new HashMap<>();
    for (Subtree each : subtrees) {
      byNode.merge(each.node(), new Use(each.readsPerSecond(), each.writesPerSecond()), Use::plus);
    }
    long entries = subtrees.stream().mapToLong(Subtree::entries).sum();
    return new IndexUse(index, subtrees.size(), entries, byNode);
  }
}
