package io.canopygrid.soak.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the requests to other nodes that single operations cost, on three JVMs at rest. */
final class RemoteRequestsIT {
  private static final int ENTRIES = 6_000;
  private static final int STEP = 61;
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir private static Path directory;

  private static Cluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = Cluster.unbalanced(3, directory, System.nanoTime());
    cluster.ask(0, Command.of("fill").with("index", "filled").with("entries", ENTRIES), LIMIT);
    // The first use of an index on a node looks it up; that is no part of a look-up.
    touch("get", 0);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static long[] touch(String how, long key) {
    Command touch = Command.of("touch").with("index", "filled").with("how", how).with("key", key);
    List<Command> answers = cluster.nodes().stream().map(node -> node.ask(touch, LIMIT)).toList();
    assertThat(answers).allSatisfy(answer -> assertThat(answer.text("found")).isEqualTo("true"));
    return answers.stream().mapToLong(answer -> answer.number("remoteRequests")).toArray();
  }

  @Test
  void aLookUpCostsOneRequestFromAnotherNodeAndNoneFromItsOwn() {
    int[] keysOfNode = new int[3];
    for (long key = 0; key < ENTRIES; key += STEP) {
      long[] requests = touch("get", key);

      assertThat(sorted(requests)).as("key %s", key).containsExactly(0, 1, 1);
      for (int node = 0; node < 3; node++) {
        keysOfNode[node] += requests[node] == 0 ? 1 : 0;
      }
    }
    assertThat(keysOfNode).as("keys at each node").doesNotContain(0);
  }

  @Test
  void aBlindPutCostsOneRequestAtMostWithItsCommit() {
    for (long key = 0; key < ENTRIES; key += STEP) {
      long[] requests = touch("put", key);

      assertThat(sorted(requests)[0]).as("key %s", key).isZero();
      assertThat(sorted(requests)[2]).as("key %s", key).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aReadAndWriteCostsTwoRequestsAtMostWithItsCommit() {
    for (long key = 0; key < ENTRIES; key += STEP) {
      long[] requests = touch("compute", key);

      assertThat(sorted(requests)[0]).as("key %s", key).isZero();
      assertThat(sorted(requests)[2]).as("key %s", key).isLessThanOrEqualTo(2);
    }
  }

  private static long[] sorted(long[] requests) {
    long[] sorted = requests.clone();
    Arrays.sort(sorted);
    return sorted;
  }
}
