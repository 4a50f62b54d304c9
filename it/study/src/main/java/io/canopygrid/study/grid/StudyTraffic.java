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
public record StudyTraffic(long remoteRequests, long messages, long replication) {
  /** Nothing. */
  public static final StudyTraffic NONE = new StudyTraffic(0, 0, 0);

  static StudyTraffic of(GmuCounters counters, long asked) {
    return new StudyTraffic(
        counters.remoteRequests() + asked, counters.messages() + 2 * asked, counters.replication());
  }

  /** The sum. */
  public StudyTraffic plus(StudyTraffic other) {
    return new StudyTraffic(
        remoteRequests + other.remoteRequests,
        messages + other.messages,
        replication + other.replication);
  }

  /** The traffic since an earlier one. */
  public StudyTraffic since(StudyTraffic before) {
    return new StudyTraffic(
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

  static StudyTraffic of(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    return new StudyTraffic(in.readLong(), in.readLong(), in.readLong());
  }
}
