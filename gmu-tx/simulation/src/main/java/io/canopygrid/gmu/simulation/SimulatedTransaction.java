package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.Begun;
import io.canopygrid.gmu.simulation.ObservedTransaction.Kind;
import io.canopygrid.gmu.simulation.ObservedTransaction.Saw;
import io.canopygrid.gmu.simulation.TransactionMix.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A transaction of a simulated client that is under way. */
final class SimulatedTransaction {
  final ObservedTransaction log;
  final SimulatedNode node;
  final long handle;
  final ArrayDeque<Operation> operations;
  final boolean nearest;
  final long begunAt;
  final Map<CompositeKey, Seen> reads = new LinkedHashMap<>();
  final List<RangeRead> ranges = new ArrayList<>();
  VectorClock clock;

  /** Whether it had run for too long when it asked to be committed. */
  boolean tooOld;

  ShardSet hasRead = ShardSet.EMPTY;
  List<AskedRead> asked = List.of();
  SnapshotTasks.@Nullable Task task;

  SimulatedTransaction(
      ObservedTransaction log,
      SimulatedNode node,
      Begun begun,
      List<Operation> operations,
      boolean nearest,
      long begunAt) {
    this.log = log;
    this.node = node;
    this.handle = begun.transaction();
    this.clock = begun.clock();
    this.operations = new ArrayDeque<>(operations);
    this.nearest = nearest;
    this.begunAt = begunAt;
  }

  /** A reader of "absent" has seen a tombstone where one was dropped. */
  void saw(CompositeKey key, @Nullable TxId writer, Map<CompositeKey, TxId> ghosts) {
    log.reads.add(new Saw(key, writer != null ? writer : ghosts.get(key)));
  }

  boolean isValidated() {
    return log.kind == Kind.UPDATE || log.kind == Kind.SERIALIZABLE;
  }

  /** The keys and ranges that its commit has to check, and its writes. */
  Footprint footprint() {
    List<KeyRead> keys = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    if (!isValidated()) {
      return new Footprint(keys, List.of(), writes);
    }
    reads.forEach((key, seen) -> keys.add(new KeyRead(key, seen)));
    log.writes.forEach((key, value) -> writes.add(new Write(key, value, null)));
    return new Footprint(keys, ranges, writes);
  }
}
