package io.canopygrid.xa;

import io.canopygrid.BranchId;
import io.canopygrid.transaction.OpenBranch;
import java.util.HashSet;
import java.util.Set;
import javax.transaction.xa.XAResource;

/**
 * A branch that is not known to be prepared, and the resources that work in it. All methods are
 * called by one thread at a time, that of the global transaction.
 */
final class Branch {
  private final BranchId id;
  private final OpenBranch transaction;
  private final Set<XAResource> working = new HashSet<>();
  private final Set<XAResource> suspended = new HashSet<>();
  private boolean rollbackOnly;
  private boolean perhapsPrepared;

  Branch(BranchId id, OpenBranch transaction) {
    this.id = id;
    this.transaction = transaction;
  }

  BranchId id() {
    return id;
  }

  OpenBranch transaction() {
    return transaction;
  }

  /** A resource works in it from now on. */
  synchronized void start(XAResource resource) {
    working.add(resource);
  }

  /** A resource goes on; whether it was suspended. */
  synchronized boolean resume(XAResource resource) {
    return suspended.remove(resource) && working.add(resource);
  }

  /** A resource pauses; whether it worked. */
  synchronized boolean suspend(XAResource resource) {
    return working.remove(resource) && suspended.add(resource);
  }

  /** A resource has done its work; whether it had any to do. */
  synchronized boolean end(XAResource resource) {
    return working.remove(resource) || suspended.remove(resource);
  }

  /** Whether no resource works in it, nor is to go on. */
  synchronized boolean isIdle() {
    return working.isEmpty() && suspended.isEmpty();
  }

  /** From now on the branch can only be rolled back. */
  synchronized void fail() {
    rollbackOnly = true;
  }

  synchronized boolean isRollbackOnly() {
    return rollbackOnly;
  }

  /** Its preparation has ended with an unknown outcome. */
  synchronized void mayBePrepared() {
    perhapsPrepared = true;
  }

  synchronized boolean isPerhapsPrepared() {
    return perhapsPrepared;
  }
}
