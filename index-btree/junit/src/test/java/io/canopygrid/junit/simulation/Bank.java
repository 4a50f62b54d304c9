package io.canopygrid.junit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import java.util.Map;

/** A correct program with accounts, whose sum never changes. */
final class Bank {
  static final long CENTS = 100;

  private static final int ACCOUNTS = 12;
  private static final int TRANSFERS = 5;

  /** Small, so that the index is split. */
  private static final IndexOptions SMALL = new IndexOptions(8);

  private Bank() {}

  static Index<Long, Long> accounts(ScenarioClient client) {
    return client.canopy().index("accounts", Codec.int64(), Codec.int64(), SMALL);
  }

  static void open(ScenarioClient client, long number) {
    Index<Long, Long> accounts = accounts(client);
    client
        .canopy()
        .run(tx -> {
          for (long id = 0; id < number; id++) {
            tx.on(accounts).put(id, CENTS);
          }
        });
  }

  static void transfer(ScenarioClient client) {
    Index<Long, Long> accounts = accounts(client);
    for (int i = 0; i < TRANSFERS; i++) {
      long from = client.random().nextLong(ACCOUNTS);
      long to = client.random().nextLong(ACCOUNTS);
      client
          .canopy()
          .run(tx -> {
            tx.on(accounts).compute(from, (id, cents) -> cents - 1);
            tx.on(accounts).compute(to, (id, cents) -> cents + 1);
          });
    }
  }

  static long sum(ScenarioClient client) {
    Index<Long, Long> accounts = accounts(client);
    return client
        .canopy()
        .read(tx -> {
          long sum = 0;
          try (Cursor<Long, Long> all = tx.on(accounts).scan()) {
            for (Map.Entry<Long, Long> account : all) {
              sum += account.getValue();
            }
          }
          return sum;
        });
  }

  static void scenario(Scenario scenario) {
    scenario
        .setUp(client -> open(client, ACCOUNTS))
        .clients("mover", 3, Bank::transfer)
        .client("auditor", client -> assertThat(sum(client)).isEqualTo(ACCOUNTS * CENTS))
        .check(client -> assertThat(sum(client)).isEqualTo(ACCOUNTS * CENTS));
  }
}
