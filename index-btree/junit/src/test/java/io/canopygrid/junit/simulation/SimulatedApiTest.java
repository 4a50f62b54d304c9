package io.canopygrid.junit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.FeedOptions;
import io.canopygrid.FunctionCall;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.Loader;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionFunction;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** All of the API can be used by simulated clients, and each seed gives the same run twice. */
final class SimulatedApiTest {
  private static final TransactionFunction ADD =
      TransactionFunction.of(
          Codec.int64(),
          Codec.int64(),
          (tx, more) ->
              Objects.requireNonNull(
                  tx.on(tx.index("fed", Codec.int64(), Codec.int64()))
                      .compute(1L, (id, had) -> had == null ? more : had + more)));

  private static void run(ClientBody body) {
    SimulationReport report =
        CanopySimulation.of(3)
            .faults(GridFault.KILL, GridFault.MOVE, GridFault.DELAY, GridFault.DUPLICATE)
            .seeds(100, 8)
            .eachTwice()
            .run(scenario ->
                scenario
                    .function("add", ADD)
                    .setUp(client -> Bank.open(client, 20))
                    .clients("writer", 2, Bank::transfer)
                    .client("user", body)
                    .check(client -> assertThat(Bank.sum(client)).isEqualTo(20 * Bank.CENTS)));
    assertThat(report.seeds()).isEqualTo(8);
  }

  @Test
  void pagesAndResumeTokens() {
    run(client -> {
      Index<Long, Long> accounts = Bank.accounts(client);
      List<Long> seen = new ArrayList<>();
      client
          .canopy()
          .read(tx -> {
            try (Cursor<Long, Long> page = tx.on(accounts).scan(Range.all()).limit(7)) {
              for (Map.Entry<Long, Long> each : page) {
                seen.add(each.getKey());
              }
            }
            return seen.size();
          });
      assertThat(seen).hasSize(7).isSorted();
    });
  }

  @Test
  void transactionsThatCallersEnd() {
    run(client -> {
      Index<Long, Long> accounts = Bank.accounts(client);
      try (Transaction tx = client.canopy().begin()) {
        assertThat(tx.on(accounts).get(3L)).isNotNull();
        client.sleep(Duration.ofMillis(2));
        tx.rollback();
      }
    });
  }

  @Test
  void tablesMapsAndLoads() {
    IndexDefinition<String, Long> byLength =
        IndexDefinition.of("length", Codec.int64(), row -> (long) row.length());
    run(client -> {
      Canopy canopy = client.canopy();
      Table<Long, String> names = canopy.table("names", Codec.int64(), Codec.string());
      names.createIndex(byLength);
      canopy.run(tx -> tx.on(names).put(1L, "Ada"));
      Index<Long, Long> own = canopy.index("own", Codec.int64(), Codec.int64());
      canopy.map(own).put(1L, 2L);
      assertThat(canopy.map(own)).containsEntry(1L, 2L);
      Index<Long, Long> loaded =
          canopy.index("loaded" + client.starts(), Codec.int64(), Codec.int64());
      try (Loader<Long, Long> loader = canopy.loader(loaded)) {
        for (long i = 0; i < 100; i++) {
          loader.add(i, i);
        }
        loader.flush();
      }
      assertThat((long) canopy.read(tx -> tx.on(loaded).count())).isEqualTo(100);
      assertThat(canopy.dropIndex("loaded" + client.starts())).isTrue();
    });
  }

  @Test
  void snapshotsAndClones() {
    run(client -> {
      Canopy canopy = client.canopy();
      String name = "then" + client.starts();
      Bank.accounts(client);
      canopy.snapshot(name);
      client.sleep(Duration.ofMillis(5));
      canopy.cloneIndex("copy" + client.starts(), CloneSource.of("accounts").at(name));
      canopy.flattenClone("copy" + client.starts());
      Index<Long, Long> accounts = Bank.accounts(client);
      TransactionOptions then = TransactionOptions.DEFAULTS.at(name);
      assertThat((long) canopy.read(then, tx -> tx.on(accounts).count())).isEqualTo(20);
      canopy.dropSnapshot(name);
    });
  }

  @Test
  void feedsAndFunctions() {
    run(client -> {
      Canopy canopy = client.canopy();
      Index<Long, Long> own = canopy.index("fed", Codec.int64(), Codec.int64());
      try (ChangeFeed<Long, Long> feed = canopy.changes(own, FeedOptions.fromNow())) {
        canopy.run(tx -> tx.on(own).put(1L, client.starts() + 1L));
        ChangeSet<Long, Long> first = feed.next(Duration.ofSeconds(5));
        assertThat(first).isNotNull();
      }
      assertThat(
              canopy.execute(
                  FunctionCall.of("add", Codec.int64().encode(1L)).at(own, 1L), Codec.int64()))
          .isEqualTo(client.starts() + 2L);
    });
  }
}
