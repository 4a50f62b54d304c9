package io.canopygrid.btree.serve;

import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.GridLevel;

/** The figures of one node, as they are when they are asked for. Thread-safe. */
public final class NodeCounts {
  private final GmuNode node;

  NodeCounts(GmuNode node) {
    this.node = node;
  }

  /** The bytes that this node has fetched from others to complete its copies of shards. */
  public long stateBytes() {
    return node.counters().stateBytes();
  }

  /** The copies for which this node has fetched all entries of their shards. */
  public long shardsWhole() {
    return node.counters().shardsWhole();
  }

  /** The copies of its disk for which this node has fetched only what had changed. */
  public long shardsByChanges() {
    return node.counters().shardsByChanges();
  }

  /** The memory that this node's entries take. */
  public long entryBytes() {
    return node.entryMemory().bytes();
  }

  /** The memory that they may take, before values are on the disk only. */
  public long entryBytesMax() {
    return node.entryMemory().bytesMax();
  }

  /** The copies whose disk is still being read. */
  public long closedCopies() {
    return node.entryMemory().closedCopies();
  }

  /** The values that reads have got from the disk, as they were not in memory. */
  public long coldReads() {
    return node.counters().coldReads();
  }

  /** For how long the oldest of this node's changes has waited for its disk, in nanoseconds. */
  public long unstoredNanos() {
    return node.unstoredNanos();
  }

  /** The versions that this node's copies keep beyond the newest one of each key. */
  public long olderVersions() {
    return node.heldVersions().versions();
  }

  /** The entries of the logs of commits that this node's copies keep. */
  public long logEntries() {
    return node.heldVersions().logged();
  }

  /** The time since the present was what the horizon is now, in nanoseconds. */
  public long horizonNanos() {
    return node.heldVersions().horizonNanos();
  }

  /** The hot entries of which this node is the primary. */
  public int hotKeys() {
    return node.hotEntries().keys();
  }

  /** The copies of hot entries of other nodes that this node keeps. */
  public int hotCopies() {
    return node.hotEntries().copies();
  }

  /** The reads that copies of hot entries here have answered. */
  public long hotReads() {
    return node.hotEntries().reads();
  }

  /** The messages that have brought hot entries from here to other nodes. */
  public long hotPushes() {
    return node.hotEntries().pushes();
  }

  /** The level of the grid, as this node knows it. */
  public int gridLevel() {
    return node.level().level();
  }

  /** The highest level that this node's release speaks. */
  public int highestLevel() {
    return GridLevel.highest();
  }
}
