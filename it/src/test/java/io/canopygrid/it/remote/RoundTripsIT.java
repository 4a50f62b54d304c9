package io.canopygrid.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.it.metrics.ServerMetrics;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cost of a warm client's look-up, in requests that three servers count. */
final class RoundTripsIT {
  private static final int SERVERS = 3;
  private static final int INDEXES = 8;
  private static final int WARMING_ROUNDS_MAX = 50;

  /**
   * The counts of a server.
   *
   * @param gets look-ups
   * @param others all else that a client waits for: it awaits no answer to {@code end}, and asks
   *     for routes on the side, at most once in 5 s for each index
   * @param hops what servers asked each other
   */
  private record Counts(long gets, long others, long hops) {
    static final Counts NOTHING = new Counts(0, 0, 0);
    static final Counts ROUND_TRIP = new Counts(1, 0, 0);

    Counts plus(Counts more) {
      return new Counts(gets + more.gets, others + more.others, hops + more.hops);
    }

    Counts minus(Counts before) {
      return new Counts(gets - before.gets, others - before.others, hops - before.hops);
    }
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aLookUpOfAWarmClientIsOneRoundTripToTheOwner() throws Exception {
    try (LocalCluster cluster =
        LocalCluster.startServers(SERVERS, "256m", Narrator.onStandardError())) {
      Canopy db = cluster.canopy();
      List<Index<Long, Long>> indexes = new ArrayList<>();
      for (int i = 0; i < INDEXES; i++) {
        Index<Long, Long> index = db.index("index" + i, Codec.int64(), Codec.int64());
        indexes.add(index);
        db.run(tx -> tx.on(index).put(1L, 1L));
      }
      warm(cluster, db, indexes);
      long[] asked = new long[SERVERS];
      for (Index<Long, Long> index : indexes) {
        List<Counts> before = counts(cluster);
        assertThat(look(db, index)).isEqualTo(1L);
        List<Counts> after = counts(cluster);
        for (int server = 0; server < SERVERS; server++) {
          Counts more = after.get(server).minus(before.get(server));
          assertThat(more).as(index.name()).isIn(Counts.NOTHING, Counts.ROUND_TRIP);
          asked[server] += more.gets();
        }
      }
      assertThat(Arrays.stream(asked).sum()).isEqualTo(INDEXES);
      assertThat(Arrays.stream(asked).filter(count -> count > 0).count())
          .as("servers that were asked: %s", Arrays.toString(asked))
          .isGreaterThan(1);
    }
  }

  /** Repeats look-ups until servers pass nothing on. */
  private static void warm(LocalCluster cluster, Canopy db, List<Index<Long, Long>> indexes)
      throws IOException, InterruptedException {
    for (int round = 0; round < WARMING_ROUNDS_MAX; round++) {
      Counts before = sum(counts(cluster));
      indexes.forEach(index -> look(db, index));
      if (sum(counts(cluster)).minus(before).equals(new Counts(INDEXES, 0, 0))) {
        return;
      }
    }
    throw new AssertionError("the client does not become warm");
  }

  private static Long look(Canopy db, Index<Long, Long> index) {
    return db.<Long, RuntimeException>read(tx -> Objects.requireNonNull(tx.on(index).get(1L)));
  }

  private static List<Counts> counts(LocalCluster cluster)
      throws IOException, InterruptedException {
    List<Counts> counts = new ArrayList<>();
    for (int server = 0; server < SERVERS; server++) {
      ServerMetrics metrics = ServerMetrics.of(cluster.address(server));
      long gets = requests(metrics, "type=\"get\"");
      long aside = requests(metrics, "type=\"end\"") + requests(metrics, "type=\"askroutes\"");
      counts.add(
          new Counts(
              gets,
              requests(metrics, "") - gets - aside,
              metrics.sum("canopy_transactions_remote_requests_total", "")));
    }
    return counts;
  }

  private static long requests(ServerMetrics metrics, String type) {
    return metrics.sum("canopy_clients_requests_total", type);
  }

  private static Counts sum(List<Counts> counts) {
    return counts.stream().reduce(Counts.NOTHING, Counts::plus);
  }
}
