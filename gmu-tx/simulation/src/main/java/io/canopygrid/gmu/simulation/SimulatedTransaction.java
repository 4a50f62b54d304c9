package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.protocol.Begun;
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
}
