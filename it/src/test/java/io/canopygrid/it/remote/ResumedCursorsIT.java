package io.canopygrid.it.remote;

import static java.util.Comparator.reverseOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexStructure;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An index is read page by page, each page by a process of its own that knows nothing but the token
 * of the one before, while the index is split, moved and loses a server.
 */
final class ResumedCursorsIT {
  private static final int SERVERS = 3;
  private static final int PAGE = 200;

  /** Keys are ten apart, so that there is room for more between them. */
  private static final int STEP = 10;

  private static final int KEYS = 1_000;
  private static final Duration LOSS_MAX = Duration.ofMinutes(1);

  private final List<Long> upwards = new ArrayList<>();
  private final List<Long> downwards = new ArrayList<>();
  private List<String> tokens = List.of(PageReader.BEGINNING, PageReader.BEGINNING);

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void cursorsGoOnAfterSplitsAMoveAndTheLossOfAServer() throws Exception {
    try (LocalCluster cluster =
        LocalCluster.startServers(SERVERS, "256m", Narrator.onStandardError())) {
      Canopy db = cluster.canopy();
      Index<Long, String> index = PageReader.index(db);
      put(db, index, LongStream.range(0, KEYS).map(i -> i * STEP));
      IndexStructure structure = db.structure(index.name());
      readPage(cluster);

      // The positions of both cursors, before and behind each of them.
      for (long at : List.of(505L, next(0), next(0) + 705, next(1) - 705, next(1))) {
        split(structure, at);
      }
      long behind = upwards.get(0) + 1;
      long ahead = next(0) + 1;
      put(db, index, LongStream.of(behind, ahead));
      readPage(cluster);
      assertThat(upwards).doesNotContain(behind).contains(ahead);

      for (int cursor = 0; cursor < 2; cursor++) {
        String here = owner(structure, next(cursor));
        String there =
            structure.subtrees().stream()
                .map(Subtree::node)
                .filter(node -> !node.equals(here))
                .findFirst()
                .orElseGet(() -> otherThan(db, here));
        assertThat(moved(structure, next(cursor), there).state())
            .isEqualTo(StructureChange.State.DONE);
        assertThat(owner(structure, next(cursor))).isEqualTo(there);
      }
      readPage(cluster);

      String dying = owner(structure, next(0));
      cluster.kill(serverOf(cluster, dying));
      readPage(cluster);
      awaitLoss(structure, dying);
      while (readPage(cluster)) {
        assertThat(upwards.size()).isLessThan(2 * KEYS);
      }

      List<Long> whole = LongStream.range(0, KEYS).mapToObj(i -> i * STEP).toList();
      assertThat(upwards).isSorted().doesNotHaveDuplicates().containsAll(whole).hasSize(KEYS + 1);
      assertThat(downwards)
          .isSortedAccordingTo(reverseOrder())
          .doesNotHaveDuplicates()
          .containsAll(whole)
          .contains(behind, ahead)
          .hasSize(KEYS + 2);
    }
  }

  /**
   * Again where something was in its way, a hundred times at most. The index is split by itself
   * too: perhaps there, or while this is asked, so that the subtree is another one.
   */
  private static void split(IndexStructure structure, long at) throws InterruptedException {
    StructureChange.State last = StructureChange.State.IMPOSSIBLE;
    for (int i = 0; i < 100; i++) {
      if (structure.subtrees().stream().anyMatch(s -> Arrays.equals(s.from(), bytes(at)))) {
        return;
      }
      last = structure.split(bytes(at)).state();
      if (last == StructureChange.State.DONE) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertThat(last).isEqualTo(StructureChange.State.DONE);
  }

  /** Waits until a node has no subtree; as long as it counts as a member, it is asked in vain. */
  private static void awaitLoss(IndexStructure structure, String node) {
    await()
        .atMost(LOSS_MAX)
        .ignoreExceptionsMatching(
            e -> e instanceof CanopyException coded && coded.code() == ErrorCode.TIMEOUT)
        .untilAsserted(
            () -> assertThat(structure.subtrees()).extracting(Subtree::node).doesNotContain(node));
  }

  /** The key after the one that a cursor handed out last. */
  private long next(int cursor) {
    return cursor == 0
        ? upwards.get(upwards.size() - 1) + STEP
        : downwards.get(downwards.size() - 1) - STEP;
  }

  /** Whether there was something to read. */
  private boolean readPage(LocalCluster cluster) throws Exception {
    List<PageReader.Page> pages = PageReader.read(cluster.uri(), PAGE, tokens);
    upwards.addAll(pages.get(0).keys());
    downwards.addAll(pages.get(1).keys());
    tokens = pages.stream().map(PageReader.Page::token).toList();
    return pages.stream().anyMatch(page -> !page.keys().isEmpty());
  }

  private static void put(Canopy db, Index<Long, String> index, LongStream keys) {
    db.run(
        PageReader.PATIENT,
        tx -> {
          keys.forEach(key -> tx.on(index).put(key, "value of " + key));
        });
  }

  private static byte[] bytes(long key) {
    return Codec.int64().encode(key);
  }

  /** Moves a key's subtree, again where something was in its way, a hundred times at most. */
  private static StructureChange moved(IndexStructure structure, long key, String there)
      throws InterruptedException {
    StructureChange change = structure.move(bytes(key), there);
    for (int i = 0; i < 100 && change.state() == StructureChange.State.IN_THE_WAY; i++) {
      TimeUnit.MILLISECONDS.sleep(100);
      change = structure.move(bytes(key), there);
    }
    return change;
  }

  private static String owner(IndexStructure structure, long key) {
    byte[] wanted = bytes(key);
    return structure.subtrees().stream()
        .filter(subtree -> Arrays.compareUnsigned(subtree.from(), wanted) <= 0)
        .reduce((earlier, later) -> later)
        .orElseThrow()
        .node();
  }

  private static String otherThan(Canopy db, String node) {
    return ((RemoteCanopy) db)
        .cluster().members().stream()
            .map(Reply.Member::node)
            .filter(other -> !other.equals(node))
            .findFirst()
            .orElseThrow();
  }

  private static int serverOf(LocalCluster cluster, String node) {
    String address =
        ((RemoteCanopy) cluster.canopy())
            .cluster().members().stream()
                .filter(member -> member.node().equals(node))
                .findFirst()
                .orElseThrow()
                .address();
    for (int server = 0; server < SERVERS; server++) {
      if (cluster.address(server).equals(address)) {
        return server;
      }
    }
    throw new AssertionError("no server at " + address);
  }
}
