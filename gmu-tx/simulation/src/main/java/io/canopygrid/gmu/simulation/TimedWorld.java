package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.ShardMap;

/** The time, chance, costs and network of a {@link TimedGrid}, which its nodes share. */
final class TimedWorld {
  final EventQueue events = new EventQueue();
  final Tasks tasks = new Tasks(events, this::runNext);
  final RequestNumbers requests = new RequestNumbers();
  final SeededRandom random;
  final ShardMap shards;
  final TimedWire wire;
  TimedCosts costs;

  /** The number of clients that have not ended; the run ends with the last one. */
  int clients;

  TimedWorld(long seed, int shards, TimedCosts costs, TimedWire wire) {
    this.random = new SeededRandom(seed);
    this.shards = new ShardMap(shards);
    this.costs = costs;
    this.wire = wire;
  }

  long now() {
    return events.now();
  }

  private boolean runNext() {
    return clients > 0 && events.runNext(Long.MAX_VALUE);
  }
}
