package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.Effect;
import java.util.List;
import java.util.Map;

/**
 * The program that runs on a simulated grid, and decides in the end whether the grid kept its
 * promises.
 */
interface SimulatedLoad {
  default void onCreate(SimulatedNode node) {}

  /** Plans the first events. */
  void start();

  /** Plans the faults of the run: one round, from the beginning on. */
  default void plan(FaultRounds faults) {
    faults.plan();
  }

  /** Runs all events; some loads have code of their own between them. */
  void run();

  /** When all has to be over. */
  long timeLimit();

  /** Whether nothing is under way, and nothing more to come. */
  boolean isFinished();

  /** Whether something is under way at a node. */
  boolean isBusyAt(SimulatedNode node);

  void onAnswer(SimulatedNode node, Effect.Answer answer, Map<CompositeKey, TxId> ghosts);

  void onEnded(SimulatedNode node, Effect.Ended ended);

  default void onGrew(SimulatedNode node, Effect.Grew grew) {}

  /** The node is gone, and with it what was asked of it. */
  void onDeath(SimulatedNode node);

  /** Which tombstones dropped at a node a reader of absent keys has seen. */
  default Map<CompositeKey, TxId> ghosts(SimulatedNode node, int shard) {
    return Map.of();
  }

  /** Runs at the end: what went wrong, in words. */
  List<String> check();

  /** After the check: what the clients saw. */
  List<HistoryEntry> history();

  /** Adds how often what happened. */
  void count(Counters counters);
}
