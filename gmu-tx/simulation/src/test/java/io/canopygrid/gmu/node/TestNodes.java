package io.canopygrid.gmu.node;

import io.canopygrid.Durability;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.Transport;
import io.canopygrid.gmu.storage.Storage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Single nodes of a grid whose others are the test's, and what they are asked to write. */
final class TestNodes {
  static final ShardMap SHARDS = new ShardMap(8);

  private TestNodes() {}

  /** Node 1 of so many, one copy of each shard; what it sends goes to the given transport. */
  static HostedNode firstOf(int size, Transport transport, NodeHost host) {
    HostedNode node =
        new HostedNode(
            new NodeId(1),
            SHARDS,
            new NodeSettings(ProtocolConfig.DEFAULT, 100, 0),
            TreeMapStore.FACTORY,
            Fences.NONE,
            transport,
            host);
    node.install(InProcessNetwork.topology(1, size, 1, SHARDS));
    return node;
  }

  static long kclOf(int shard) {
    for (long kcl = 100; ; kcl++) {
      if (SHARDS.shardOf(kcl) == shard) {
        return kcl;
      }
    }
  }

  static CompositeKey key(int shard, int ku) {
    return CompositeKey.of(kclOf(shard), new byte[] {(byte) ku});
  }

  static byte[] number(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  static Footprint writes(CompositeKey... keys) {
    List<Footprint.Write> writes =
        Stream.of(keys).map(key -> new Footprint.Write(key, number(5), null)).toList();
    return new Footprint(List.of(), List.of(), writes);
  }

  static Footprint write(CompositeKey key, long value) {
    return new Footprint(
        List.of(), List.of(), List.of(new Footprint.Write(key, number(value), null)));
  }

  static long in(long millis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  static GmuNode standalone() {
    return StandaloneNode.start(SHARDS, NodeSettings.DEFAULT, TreeMapStore.FACTORY, Fences.NONE);
  }

  /** A node with a disk that serves. */
  static GmuNode alone(Storage storage, Durability durability) {
    GmuNode node =
        StandaloneNode.start(
            SHARDS, NodeSettings.DEFAULT, TreeMapStore.FACTORY, Fences.NONE, storage, durability);
    while (!node.isReady()) {
      Thread.onSpinWait();
    }
    return node;
  }

  static InProcessNetwork threeNodes() {
    return InProcessNetwork.start(
        3, 2, SHARDS, NodeSettings.DEFAULT, TreeMapStore.FACTORY, Fences.NONE);
  }

  static ReadAnswer.Got get(GmuTransaction tx, CompositeKey key) throws TimeoutException {
    return (ReadAnswer.Got) tx.read(new ReadQuery.Get(key));
  }

  static long value(ReadAnswer.Got got) {
    byte[] bytes = got.value();
    return bytes == null ? 0 : ByteBuffer.wrap(bytes).getLong();
  }
}
