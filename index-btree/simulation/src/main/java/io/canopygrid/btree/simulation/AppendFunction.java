package io.canopygrid.btree.simulation;

import io.canopygrid.Codec;
import io.canopygrid.FunctionTransaction;
import io.canopygrid.MutableView;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.function.NamedCall;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.Mode;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import io.canopygrid.wire.CommitId;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A function that appends a number to lists; its result says how many numbers were there before. It
 * takes its time.
 */
final class AppendFunction {
  private final SimulatedGrid grid;
  private final NamedClients clients;
  private final String name;
  private final String index;
  private final SeededRandom pauses;

  /**
   * A function of a name, which appends to lists in an index.
   *
   * @param pauses for how long it takes
   */
  AppendFunction(
      SimulatedGrid grid, NamedClients clients, String name, String index, SeededRandom pauses) {
    this.grid = grid;
    this.clients = clients;
    this.name = name;
    this.index = index;
    this.pauses = pauses;
  }

  void register(EmbeddedCanopy handle) {
    handle.register(name, this::append);
  }

  /** The arguments are the number and the keys, with commas. */
  static byte[] arguments(Told told) {
    StringBuilder text = new StringBuilder().append(told.number);
    told.keys.forEach(key -> text.append(',').append(key));
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private byte[] append(FunctionTransaction tx, byte[] arguments) {
    String[] parts = new String(arguments, StandardCharsets.US_ASCII).split(",", -1);
    int number = Integer.parseInt(parts[0]);
    MutableView<Long, String> view = tx.on(tx.index(index, Codec.int64(), Codec.string()));
    StringBuilder before = new StringBuilder("r");
    for (int i = 1; i < parts.length; i++) {
      long key = Long.parseLong(parts[i]);
      String found = view.get(key);
      before.append(',').append(NumberLists.of(found).size());
      view.put(key, NumberLists.with(found, number));
      int units = pauses.oneOf(0, 0, 3, 40);
      if (units > 0) {
        grid.sleep(units);
      }
    }
    return before.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Calls it at a node under a name, as a server does for a client.
   *
   * @param timeoutMillis of each of its attempts
   * @param forget names that nobody will look up
   */
  FunctionResult call(
      GmuNode node,
      Told told,
      CommitId as,
      int timeoutMillis,
      int attemptsMax,
      List<CommitId> forget) {
    Begin how = clients.how(node, Mode.UPDATE);
    NamedCall call =
        new NamedCall(
            name,
            arguments(told),
            new NamedCall.Place(clients.open(node).number(), NumberLists.bytes(told.keys.get(0))),
            new NamedCall.How(how.mode(), how.readFrom(), timeoutMillis, index, how.after()),
            attemptsMax,
            as,
            forget);
    return clients.served(node).execute(call, FunctionRights.ALL, null);
  }
}
