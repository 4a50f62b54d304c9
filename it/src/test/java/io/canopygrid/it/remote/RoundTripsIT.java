package io.canopygrid.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.ycsb.cluster.LocalCluster;
import io.canopygrid.ycsb.terminal.Narrator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a warm client's look-up costs, by what three servers count of requests that came in. */
final class RoundTripsIT {
  private static final int SERVERS = 3;
  private static final int INDEXES = 8;
  private static final int WARMING_ROUNDS_MAX = 50;

  /** What all servers together have counted. */
  private record Counts(long requests, long gets, long hops) {
    Counts minus(Counts before) {
      return new Counts(requests - before.requests, gets - before.gets, hops - before.hops);
    }
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aLookUpOfAWarmClientIsOneRequestToTheOwner() throws Exception {
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
        int owners = 0;
        for (int server = 0; server < SERVERS; server++) {
          Counts more = after.get(server).minus(before.get(server));
          assertThat(more).isIn(new Counts(0, 0, 0), new Counts(1, 1, 0));
          owners += (int) more.requests();
          asked[server] += more.requests();
        }
        assertThat(owners).as(index.name()).isEqualTo(1);
      }
      assertThat(Arrays.stream(asked).filter(count -> count > 0).count())
          .as("servers that were asked: %s", Arrays.toString(asked))
          .isGreaterThan(1);
    }
  }

  /** Until no look-up is passed on, and the client asks for no map any more. */
  private static void warm(LocalCluster cluster, Canopy db, List<Index<Long, Long>> indexes)
      throws IOException, InterruptedException {
    for (int round = 0; round < WARMING_ROUNDS_MAX; round++) {
      Counts before = sum(counts(cluster));
      indexes.forEach(index -> look(db, index));
      if (sum(counts(cluster)).minus(before).equals(new Counts(INDEXES, INDEXES, 0))) {
        return;
      }
    }
    throw new AssertionError("the client does not become warm");
  }

  private static Long look(Canopy db, Index<Long, Long> index) {
    return db.<Long, RuntimeException>read(tx -> tx.on(index).get(1L));
  }

  private static List<Counts> counts(LocalCluster cluster)
      throws IOException, InterruptedException {
    List<Counts> counts = new ArrayList<>();
    for (int server = 0; server < SERVERS; server++) {
      String metrics = new ServerPages(cluster.address(server)).metrics();
      counts.add(
          new Counts(
              ServerPages.sum(metrics, "canopy_clients_requests_total", ""),
              ServerPages.sum(metrics, "canopy_clients_requests_total", "type=\"get\""),
              ServerPages.sum(metrics, "canopy_transactions_remote_requests_total", "")));
    }
    return counts;
  }

  private static Counts sum(List<Counts> counts) {
    return new Counts(
        counts.stream().mapToLong(Counts::requests).sum(),
        counts.stream().mapToLong(Counts::gets).sum(),
        counts.stream().mapToLong(Counts::hops).sum());
  }
}
