package io.canopygrid.roundtrip;

import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.embedded.ClusterJoin;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.study.grid.StudyMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A node of a grid of two with one copy of each entry, and nothing that moves by itself: so what
 * the other node has, this one has not. Thread-safe.
 */
final class GridNode implements AutoCloseable {
  /** The bytes of the value in an entry. */
  static final int VALUE_BYTES = 100;

  private static final String HOST = "127.0.0.1";
  private static final int ENTRIES_PER_COMMIT = 500;
  private static final int QUIET_SECONDS = 2;

  /** A machine that is busy is no failure here. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final StudyMember member;
  private final NodeCalls calls;

  /**
   * Joins, or founds the grid.
   *
   * @param ports of the nodes before, and of this one, which is the last
   */
  GridNode(List<Integer> ports) {
    int before = ports.size() - 1;
    member =
        new StudyMember(
            ClusterJoin.alone(
                ClusterConfig.of("canopy-roundtrip-" + ports.get(0))
                    .bindAddress(HOST)
                    .port(ports.get(before))
                    .owners(1)
                    .joinTimeout(PATIENCE)
                    .failureTimeout(PATIENCE)
                    .members(
                        ports.subList(0, before).stream()
                            .map(port -> HOST + ":" + port)
                            .toList())));
    calls = member.ownerLane().calls();
    calls.serve((question, answer) -> answer.accept(MessageSizes.answerTo(question)));
  }

  /** A key that only the other node has, and where. */
  record Place(long key, CompositeKey composite) {}

  /** The index, loaded; returns when no split is under way. */
  Index<Long, byte[]> load(int keys) {
    Index<Long, byte[]> index =
        member.canopy().index("roundtrip", Codec.int64(), Codec.bytes(), IndexOptions.DEFAULTS);
    for (int from = 0; from < keys; from += ENTRIES_PER_COMMIT) {
      int first = from;
      int end = Math.min(from + ENTRIES_PER_COMMIT, keys);
      member
          .canopy()
          .run(tx -> {
            for (long key = first; key < end; key++) {
              tx.on(index).put(key, new byte[VALUE_BYTES]);
            }
          });
    }
    awaitQuiet();
    return index;
  }

  /** Subtrees go on being split for a while; what is where is known afterwards. */
  private void awaitQuiet() {
    int subtrees = -1;
    for (int still = 0; still < QUIET_SECONDS; still++) {
      int[] count = new int[1];
      Crown.forEach(node().top(), entry -> count[0]++);
      still = count[0] == subtrees ? still : 0;
      subtrees = count[0];
      node().threads().sleep(TimeUnit.SECONDS.toNanos(1));
    }
  }

  /** The keys of the index that no copy at this node has. */
  List<Place> elsewhere(Index<Long, byte[]> index, int keys) {
    int number = member.canopy().served().find(index.name()).number();
    List<Place> places = new ArrayList<>();
    for (long key = 0; key < keys; key++) {
      byte[] bytes = Codec.int64().encode(key);
      long kcl = Crown.subtreeOf(node().top(), number, bytes);
      int shard = node().shardMap().shardOf(kcl);
      if (!node().topology().shard(shard).isHeldBy(node().self())) {
        places.add(new Place(key, EntryKeys.of(kcl, bytes)));
      }
    }
    return places;
  }

  GmuNode node() {
    return member.node();
  }

  StudyMember member() {
    return member;
  }

  /** The other node. */
  NodeId other() {
    return node().topology().members().stream()
        .filter(id -> !id.equals(node().self()))
        .findFirst()
        .orElseThrow();
  }

  /** Questions that the other node answers as {@link MessageSizes#answerTo} does. */
  NodeCalls calls() {
    return calls;
  }

  @Override
  public void close() {
    member.close();
  }
}
