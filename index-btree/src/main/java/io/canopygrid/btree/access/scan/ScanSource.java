package io.canopygrid.btree.access.scan;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.access.read.Snapshot;

/**
 * One index in one transaction, as a scan reads it: the snapshot, and what the transaction has read
 * and staged of the index.
 */
public record ScanSource(TransactionContext context, Snapshot snapshot, IndexFootprint footprint) {
  IndexRef index() {
    return footprint.index();
  }

  ReadSet reads() {
    return footprint.reads();
  }

  WriteSet writes() {
    return footprint.writes();
  }
}
