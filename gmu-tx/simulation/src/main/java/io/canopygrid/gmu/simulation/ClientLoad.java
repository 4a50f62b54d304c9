package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Clients of the transaction layer alone, which drive the protocol itself. */
final class ClientLoad implements SimulatedLoad {
  private final SimulatedWorld world;
  private final Membership membership;
  private final ClientWork work;
  private final List<SimulatedClient> clients = new ArrayList<>();
  private @Nullable Checker checker;

  ClientLoad(SimulatedWorld world, NodeSteps steps, Membership membership) {
    this.world = world;
    this.membership = membership;
    this.work = new ClientWork(world);
    int transactions = world.options.transactions();
    for (int i = 0; i < world.options.sessions(); i++) {
      SeededRandom random = world.stream(1_000 + i);
      clients.add(new SimulatedClient(world, steps, random, work, i, transactions));
    }
  }

  @Override
  public void start() {
    clients.forEach(client -> world.after(world.random.between(1, 20), client::next));
  }

  @Override
  public void run() {
    boolean more = true;
    while (more) {
      more = world.events.runNext(timeLimit());
    }
  }

  @Override
  public long timeLimit() {
    // Where the power fails the grid is left alone for longer at the end.
    return world.options.has(SimulatedFault.POWER) ? 40_000 : 20_000;
  }

  @Override
  public boolean isFinished() {
    return clients.stream().allMatch(SimulatedClient::isFinished);
  }

  @Override
  public boolean isBusyAt(SimulatedNode node) {
    return clients.stream().anyMatch(client -> client.isBusyAt(node));
  }

  @Override
  public void onAnswer(SimulatedNode node, Effect.Answer answer, Map<CompositeKey, TxId> ghosts) {
    clients.forEach(client -> client.onAnswer(node, answer, ghosts));
  }

  @Override
  public void onEnded(SimulatedNode node, Effect.Ended ended) {
    clients.forEach(client -> client.onEnded(node, ended));
  }

  @Override
  public void onDeath(SimulatedNode node) {
    clients.forEach(client -> client.onDeath(node));
  }

  @Override
  public Map<CompositeKey, TxId> ghosts(SimulatedNode node, int shard) {
    return work.ghosts(node, shard);
  }

  @Override
  public List<String> check() {
    checker = new Checker(world, membership, work.history);
    return checker.check();
  }

  @Override
  public List<HistoryEntry> history() {
    return checker == null ? List.of() : new Histories(work.history, checker.versions()).entries();
  }

  @Override
  public void count(Counters counters) {
    work.history.forEach(tx -> counters.add("transactions " + tx.outcome(), 1));
  }
}
