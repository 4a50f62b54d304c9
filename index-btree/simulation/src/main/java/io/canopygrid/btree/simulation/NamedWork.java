package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A kind of work whose commits have names; {@link NamedClients} checks what became of them. */
abstract class NamedWork implements TreeWork {
  static final int CLIENTS = 3;

  /** Between two looks whether a client has heard of its commit, in units of virtual time. */
  private static final int LOOK_EVERY = 10;

  final SimulatedGrid grid;
  final NamedClients clients;

  NamedWork(SimulatedGrid grid, NamedClients clients) {
    this.grid = grid;
    this.clients = clients;
  }

  /** Blocks the calling client until its commit is over, or its patience is. */
  final void await(int patience, BooleanSupplier isOver) {
    for (int waited = 0; waited < patience && !isOver.getAsBoolean(); waited += LOOK_EVERY) {
      grid.sleep(LOOK_EVERY);
    }
  }

  @Override
  public final void finish() {
    clients.finish();
  }

  @Override
  public final List<String> check() {
    return clients.check();
  }

  @Override
  public final Map<String, Long> counts() {
    return clients.counts();
  }
}
