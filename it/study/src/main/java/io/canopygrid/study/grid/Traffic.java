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
public record Traffic(long remoteRequests, long messages, long replication) {
  /** Nothing. */
  public static final Traffic NONE = new Traffic(0, 0, 0);

  static Traffic of(GmuCounters counters, long asked) {
    return new Traffic(
        counters.remoteRequests() + asked, counters.messages() + 2 * asked, counters.replication());
  }

  /** The sum. */
  public Traffic plus(Traffic other) {
    return new Traffic(
        remoteRequests + other.remoteRequests,
        messages + other.messages,
        replication + other.replication);
  }

  /** The traffic since an earlier one. */
  public Traffic since(Traffic before) {
    return new Traffic(
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

  static Traffic of(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    return new Traffic(in.readLong(), in.readLong(), in.readLong());
  }
}
