package io.canopygrid.junit.simulation;

import io.canopygrid.TransactionFunction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The programs of one run: what is there at first, clients that work at the same time, and a check
 * of what is left. A test makes it anew for each run, so that objects which its bodies share belong
 * to one run. Confined to the thread that makes it.
 */
public final class Scenario {
  static final int CLIENTS_MAX = 100;

  private final List<Client> clients = new ArrayList<>();
  private final Map<String, TransactionFunction> functions = new LinkedHashMap<>();
  private @Nullable ClientBody setUp;
  private @Nullable ClientBody check;

  Scenario() {}

  /** A client, by name. */
  record Client(String name, ClientBody body) {}

  /**
   * Runs before all clients, and before the first fault.
   *
   * @throws IllegalStateException where there is one already
   */
  public Scenario setUp(ClientBody body) {
    if (setUp != null) {
      throw new IllegalStateException("the scenario has a set-up already");
    }
    setUp = Objects.requireNonNull(body, "body");
    return this;
  }

  /**
   * A client. The seed draws its node. Where that node dies, so does the client, with its next call
   * into Canopy, and its body is run again from the beginning at another node, as a process that is
   * started again.
   *
   * @param name other than those of all other clients
   * @throws IllegalArgumentException where another client has the name, or there are 100 already
   */
  public Scenario client(String name, ClientBody body) {
    if (name.isBlank() || clients.stream().anyMatch(client -> client.name().equals(name))) {
      throw new IllegalArgumentException(
          "a client's name must not be empty, nor that of another: name='" + name + "'");
    }
    if (clients.size() == CLIENTS_MAX) {
      throw new IllegalArgumentException("clients must be <= " + CLIENTS_MAX + ": name=" + name);
    }
    clients.add(new Client(name, Objects.requireNonNull(body, "body")));
    return this;
  }

  /** So many clients with the same body, whose names end with their numbers, from 1 on. */
  public Scenario clients(String name, int count, ClientBody body) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be >= 1: count=" + count);
    }
    for (int i = 1; i <= count; i++) {
      client(name + " " + i, body);
    }
    return this;
  }

  /**
   * Runs when all clients have ended and all faults are repaired, and sees all that they have
   * committed. The body throws where that is not as it should be.
   *
   * @throws IllegalStateException where there is one already
   */
  public Scenario check(ClientBody body) {
    if (check != null) {
      throw new IllegalStateException("the scenario has a check already");
    }
    check = Objects.requireNonNull(body, "body");
    return this;
  }

  /**
   * A function that each node has from its beginning on, as {@link io.canopygrid.Canopy#register}
   * gives it to one node.
   */
  public Scenario function(String name, TransactionFunction function) {
    functions.put(name, Objects.requireNonNull(function, "function"));
    return this;
  }

  Map<String, TransactionFunction> functions() {
    return functions;
  }

  @Nullable ClientBody setUp() {
    return setUp;
  }

  List<Client> clients() {
    return clients;
  }

  @Nullable ClientBody check() {
    return check;
  }
}
