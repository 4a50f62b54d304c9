package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.Effect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Clients of the transaction layer alone, which drive the protocol itself. */
final class ClientLoad implements Load {
  final List<TransactionLog> history = new ArrayList<>();
  final Workload workload;
  final NamedSnapshots snapshots;
  private final Simulation grid;
  private final List<Client> clients = new ArrayList<>();
  private final Map<Long, Client> openReads = new HashMap<>();
  private long requests;
  private @Nullable Checker checker;

  ClientLoad(Simulation grid) {
    this.grid = grid;
    this.workload = new Workload(grid);
    this.snapshots = new NamedSnapshots(grid);
    for (int i = 0; i < grid.options.sessions(); i++) {
      clients.add(new Client(grid, grid.stream(1_000 + i), this, i, grid.options.transactions()));
    }
  }

  @Override
  public void start() {
    clients.forEach(client -> grid.after(grid.random.between(1, 20), client::next));
  }

  @Override
  public void run() {
    boolean more = true;
    while (more) {
      more = grid.runNext();
    }
  }

  @Override
  public long timeLimit() {
    return 20_000;
  }

  @Override
  public boolean isFinished() {
    return clients.stream().allMatch(Client::isFinished);
  }

  @Override
  public boolean isBusyAt(SimulatedNode node) {
    return clients.stream().anyMatch(client -> client.isBusyAt(node));
  }

  /** The numbers of a client's reads begin here. */
  long openReads(Client client, int count) {
    for (int i = 1; i <= count; i++) {
      openReads.put(requests + i, client);
    }
    requests += count;
    return requests - count + 1;
  }

  @Override
  public void onAnswer(SimulatedNode node, Effect.Answer answer, Map<CompositeKey, TxId> ghosts) {
    Client client = openReads.remove(answer.request());
    if (client != null) {
      client.onAnswer(node, answer, ghosts);
    }
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
    Map<CompositeKey, TxId> ghosts = Map.of();
    for (int number = 0; number < workload.keys(); number++) {
      CompositeKey key = grid.key(shard, number);
      TxId ghost = node.ledger.ghost(key);
      if (ghost != null) {
        ghosts = ghosts.isEmpty() ? new HashMap<>() : ghosts;
        ghosts.put(key, ghost);
      }
    }
    return ghosts;
  }

  @Override
  public List<String> check() {
    checker = new Checker(grid, history);
    return checker.check();
  }

  @Override
  public List<HistoryEntry> history() {
    return checker == null ? List.of() : new Histories(checker).entries();
  }

  @Override
  public void count(Counters counters) {
    history.forEach(tx -> counters.add("transactions " + tx.outcome(), 1));
  }
}
