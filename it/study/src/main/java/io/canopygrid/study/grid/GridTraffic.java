package io.canopygrid.study.grid;

import io.canopygrid.gmu.node.GmuCounters;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;

/**
 * The traffic from node to node since the start.
 *
 * @param remoteRequests what waited for another node's primary: reads, prepares and decisions; and
 *     questions of the layer above
 * @param messages of the protocol, of every kind, replication, marks and horizons too; and
 *     questions and their answers
 * @param replication prepares and decisions to backups
 */
public record GridTraffic(long remoteRequests, long messages, long replication) {
  /** Nothing. */
  public static final GridTraffic NONE = new GridTraffic(0, 0, 0);

  static GridTraffic of(GmuCounters counters, long asked) {
    return new GridTraffic(
        counters.remoteRequests() + asked, counters.messages() + 2 * asked, counters.replication());
  }

  /** The sum. */
  public GridTraffic plus(GridTraffic other) {
    return new GridTraffic(
        remoteRequests + other.remoteRequests,
        messages + other.messages,
        replication + other.replication);
  }

  /** The traffic since an earlier one. */
  public GridTraffic since(GridTraffic before) {
    return new GridTraffic(
        remoteRequests - before.remoteRequests,
        messages - before.messages,
        replication - before.replication);
  }

  byte[] toBytes() {
    return new ByteWriter(24)
        .writeLong(remoteRequests)
        .writeLong(messages)
        .writeLong(replication)
        .toBytes();
  }

  static GridTraffic of(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    return new GridTraffic(in.readLong(), in.readLong(), in.readLong());
  }
}
