package io.canopygrid.btree.access;

import io.canopygrid.ReadFrom;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.spi.Begin;
import java.util.concurrent.atomic.AtomicLong;

/** What the transactions at one node share. Thread-safe. */
public final class TreeAccess {
  private final GmuNode node;
  private final NodeThreads threads;
  private final Router router;
  private final ClosingParts closing;
  private final Births births;
  private final AtomicLong transactions = new AtomicLong();

  /** Access through a node. */
  public TreeAccess(GmuNode node, ClosingParts closing, Births births) {
    this.node = node;
    this.threads = node.threads();
    this.router = new Router(node);
    this.closing = closing;
    this.births = births;
  }

  /** Finishes shifts that whoever began them has left. */
  public interface ClosingParts {
    /** Sees to it that the subtree is not closing any more; does not wait for that. */
    void settle(long kcl);
  }

  /** Gives new subtrees their kcls. */
  public interface Births {
    /** Kcls that were never used, so many, placed for balance. */
    long[] kcls(int count);
  }

  /**
   * Begins a transaction in the present.
   *
   * @param use where it is told what it uses
   */
  public TreeTransaction begin(Begin how, OwnUse use) {
    try {
      return begun(node.begin(how.after(), how.deadlineNanos()), "", how, use);
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  /** Begins a read-only transaction in the state at a pinned clock, that of a named snapshot. */
  public TreeTransaction beginAt(VectorClock pinned, String snapshot, Begin how, OwnUse use) {
    try {
      return begun(node.beginAt(pinned, how.deadlineNanos()), snapshot, how, use);
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  private TreeTransaction begun(
      GmuTransaction transaction, String snapshot, Begin how, OwnUse use) {
    if (how.readFrom() == ReadFrom.NEAREST) {
      transaction.readNearest();
    }
    return new TreeTransaction(this, transaction, how, snapshot, use);
  }

  /** The time in which deadlines are given, and what waits in it. */
  public NodeThreads threads() {
    return threads;
  }

  Router router() {
    return router;
  }

  Births births() {
    return births;
  }

  ClosingParts closing() {
    return closing;
  }

  /** A name that no other transaction of the grid has. */
  String nextId() {
    return node.self() + "-" + transactions.incrementAndGet();
  }
}
