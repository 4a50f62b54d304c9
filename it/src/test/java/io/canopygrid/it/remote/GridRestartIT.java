package io.canopygrid.it.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridInfo;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The only server of a grid is killed under connected clients, and started again with the same
 * ports, and another program creates other indexes: each client is told once, and what it writes is
 * in no other index. {@code -Dcanopy.it.grids=10} makes it longer.
 */
final class GridRestartIT {
  private static final int GRIDS = Integer.getInteger("canopy.it.grids", 2);
  private static final Duration START_MAX = Duration.ofSeconds(90);
  private static final String MINE = "by the old client";
  private static final TransactionOptions SHORT =
      TransactionOptions.labelled("put").withTimeout(Duration.ofSeconds(2));

  private final List<ServerProcess> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(ServerProcess::kill);
  }

  private String start(List<Integer> ports) throws IOException, InterruptedException {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xms256m", "-Xmx256m", "-cp", JavaCommand.classPath()));
    command.addAll(List.of("io.canopygrid.server.cli.Main", "server", "--attached"));
    command.addAll(List.of("--name", "restarted", "--bind", "127.0.0.1"));
    command.addAll(List.of("--port", ports.get(0).toString()));
    command.addAll(List.of("--client-port", ports.get(1).toString()));
    String name = "server " + (servers.size() + 1);
    ServerProcess server = ServerProcess.start(name, command, Narrator.onStandardError());
    servers.add(server);
    return "canopy://" + server.awaitReady(START_MAX);
  }

  private static Index<Long, String> index(Canopy db, String name) {
    return db.index(name, Codec.int64(), Codec.string());
  }

  private static CanopyException failure(ThrowingCallable call) {
    return catchThrowableOfType(CanopyException.class, call);
  }

  /** Puts until it is told that the grid has changed; what it was told before is in the queue. */
  private static void putUntilTold(Canopy db, Index<Long, String> orders, Queue<ErrorCode> told) {
    for (long key = 100; !told.contains(ErrorCode.GRID_CHANGED); key++) {
      long next = key;
      try {
        db.run(SHORT, tx -> tx.on(orders).put(next, MINE));
      } catch (CanopyException e) {
        told.add(e.code());
      }
    }
  }

  /** Another program's indexes, of which one is there under the number that orders had. */
  private static void createOthers(Canopy other, int grid) {
    for (int i = 0; i <= grid + 1; i++) {
      Index<Long, String> customers = index(other, "customers" + i);
      other.run(tx -> {
        tx.on(customers).put(1L, "Ada Lovelace");
        tx.on(customers).put(2L, "Grace Hopper");
      });
    }
  }

  private static void assertOthersAreWhole(Canopy other, int grid) {
    for (int i = 0; i <= grid + 1; i++) {
      Index<Long, String> customers = index(other, "customers" + i);
      List<String> names =
          other.read(
              tx -> tx.on(customers).scan(Range.all()).stream().map(Map.Entry::getValue).toList());
      assertThat(names).containsExactly("Ada Lovelace", "Grace Hopper");
    }
  }

  private static void assertToldOnceAndHeals(
      Canopy db, Index<Long, String> orders, boolean isThere, GridInfo next) {
    if (isThere) {
      assertThat(db.<Boolean, RuntimeException>read(tx -> tx.on(orders).containsKey(1L))).isFalse();
    } else {
      for (int i = 0; i < 2; i++) {
        CanopyException e = failure(() -> db.run(tx -> tx.on(orders).put(1L, MINE)));
        assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX);
        assertThat(e).hasMessageContaining("'orders'");
        e = failure(() -> db.read(tx -> tx.on(orders).containsKey(1L)));
        assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX);
      }
      index(db, "orders");
    }
    db.run(tx -> tx.on(orders).put(1L, MINE));
    assertThat(db.<String, RuntimeException>read(tx -> String.valueOf(tx.on(orders).get(1L))))
        .isEqualTo(MINE);
    db.run(tx -> tx.on(orders).remove(1L));
    assertThat(db.grid()).isEqualTo(next);
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void eachClientIsToldOnceAndWritesToNoOtherIndex() throws Exception {
    List<Integer> ports = FreePorts.pick(2);
    String uri = start(ports);
    try (Canopy idle = RemoteCanopy.connect(uri);
        Canopy busy = RemoteCanopy.connect(uri)) {
      Index<Long, String> idleOrders = index(idle, "orders");
      Index<Long, String> busyOrders = index(busy, "orders");
      for (int grid = 0; grid < GRIDS; grid++) {
        idle.run(tx -> tx.on(idleOrders).put(1L, MINE));
        CausalToken old = idle.token();
        Transaction open = idle.begin(TransactionOptions.DEFAULTS);
        assertThat(open.on(idleOrders).get(1L)).isEqualTo(MINE);
        Queue<ErrorCode> told = new ConcurrentLinkedQueue<>();
        CompletableFuture<Void> putting =
            CompletableFuture.runAsync(() -> putUntilTold(busy, busyOrders, told));

        servers.get(servers.size() - 1).kill();
        start(ports);
        boolean isThere = grid % 2 == 0;
        try (Canopy other = RemoteCanopy.connect(uri)) {
          createOthers(other, grid);
          if (isThere) {
            index(other, "orders");
          }
          open.on(idleOrders).put(1L, MINE);
          assertThat(failure(open::commit).commitState()).isEqualTo(CommitState.NOT_COMMITTED);
          CanopyException e = failure(() -> idle.run(tx -> tx.on(idleOrders).put(1L, MINE)));
          assertThat(e.code()).isEqualTo(ErrorCode.GRID_CHANGED);
          putting.get(2, TimeUnit.MINUTES);
          assertThat(told)
              .containsOnlyOnce(ErrorCode.GRID_CHANGED)
              .isSubsetOf(
                  ErrorCode.GRID_CHANGED,
                  ErrorCode.NOT_CONNECTED,
                  ErrorCode.COMMIT_UNKNOWN,
                  ErrorCode.TIMEOUT);
          assertToldOnceAndHeals(idle, idleOrders, isThere, other.grid());
          assertToldOnceAndHeals(busy, busyOrders, true, other.grid());
          e =
              failure(() ->
                  idle.read(
                      TransactionOptions.DEFAULTS.withAfter(old),
                      tx -> tx.on(idleOrders).containsKey(1L)));
          assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TOKEN);
          assertOthersAreWhole(other, grid);
          System.out.printf("grid %d: %s, the busy client was told %s%n", grid, other.grid(), told);
        }
      }
    }
  }
}
