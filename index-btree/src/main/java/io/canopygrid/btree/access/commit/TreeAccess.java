package io.canopygrid.btree.access.commit;

import io.canopygrid.ReadFrom;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.concurrent.atomic.AtomicLong;

/** Begins the transactions at one node. Thread-safe. */
public final class TreeAccess {
  private final GmuNode node;
  private final SharedParts shared;
  private final AtomicLong transactions = new AtomicLong();

  /** Access through a node. */
  public TreeAccess(GmuNode node, ClosingParts closing, KclAllocation births) {
    this.node = node;
    this.shared = new SharedParts(node.threads(), new Router(node), closing, births, this::nextId);
  }

  /**
   * Begins a transaction in the present.
   *
   * @param use where it is told what the transaction uses
   */
  public TreeTransaction begin(Begin how, OwnUse use) {
    try {
      requireKept(how);
      return begun(node.begin(how.after(), how.deadlineNanos()), "", how, use);
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  /**
   * Begins a read-only transaction in the state at a pinned clock, that of a named snapshot. It
   * does not begin after the session's clock, whose loss to a power cut is told all the same.
   */
  public TreeTransaction beginAt(VectorClock pinned, String snapshot, Begin how, OwnUse use) {
    try {
      requireKept(how);
      return begun(node.beginAt(pinned, true, how.deadlineNanos()), snapshot, how, use);
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  /** Each by itself, as one may hide what is lost of the other. */
  void requireKept(Begin how) {
    node.requireKept(how.seen());
    node.requireKept(how.token());
  }

  private TreeTransaction begun(
      GmuTransaction transaction, String snapshot, Begin how, OwnUse use) {
    transaction.named(how.label());
    if (how.readFrom() == ReadFrom.NEAREST) {
      transaction.readNearest();
    }
    return new TreeTransaction(
        shared, transaction, how, snapshot, use, pinned -> reader(pinned, how));
  }

  /** Reads a layer of a clone for a transaction; with its deadline, and without a name. */
  private TreeTransaction reader(VectorClock pinned, Begin how) {
    Begin reading =
        new Begin(
            Mode.READ_ONLY, VectorClock.ZERO, how.deadlineNanos(), how.label(), how.readFrom(), "");
    GmuTransaction transaction = node.beginAt(pinned, true, how.deadlineNanos());
    return begun(transaction, "", reading, OwnUse.NONE);
  }

  /** The time in which deadlines are given, and what waits in it. */
  public NodeThreads threads() {
    return shared.threads();
  }

  /** A name that no other transaction of the grid has. */
  private String nextId() {
    return node.self() + "-" + transactions.incrementAndGet();
  }
}
