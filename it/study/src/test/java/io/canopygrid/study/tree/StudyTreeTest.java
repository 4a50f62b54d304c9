package io.canopygrid.study.tree;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuCounters;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.gmu.simulation.SeededRandom;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Every variant against a {@link TreeMap}, its counters, and who writes at the same time. */
final class StudyTreeTest {
  private static final int NODES = 3;

  private final InProcessNetwork network =
      InProcessNetwork.start(
          NODES,
          2,
          new ShardMap(12),
          NodeSettings.DEFAULT,
          BPlusTree.factory(),
          new SubtreeFences());
  private final List<StudyTree> trees = new ArrayList<>();

  @BeforeEach
  void open() {
    for (int i = 0; i < NODES; i++) {
      trees.add(new StudyTree(network.node(i)));
    }
  }

  @AfterEach
  void close() {
    trees.forEach(StudyTree::close);
    network.close();
  }

  @ParameterizedTest
  @EnumSource(value = Variant.class, names = "CANOPY", mode = Mode.EXCLUDE)
  void doesWhatATreeMapDoes(Variant variant) {
    TreeMap<byte[], byte[]> twin = new TreeMap<>(Arrays::compareUnsigned);
    TreeLayout layout = build(variant, 4, twin);
    long seed = variant.label().hashCode();
    SeededRandom random = new SeededRandom(seed);
    for (int i = 0; i < 1_500; i++) {
      StudyTree tree = trees.get(random.below(NODES));
      byte[] key = key(random.below(300));
      String what = variant + ", seed " + seed + ", step " + i;
      switch (random.below(6)) {
        case 0, 1 -> {
          byte[] value = value(random.below(1_000));
          assertThat(tree.run(layout, Operation.put(key, value)).value())
              .as(what)
              .isEqualTo(twin.put(key, value));
        }
        case 2 ->
            assertThat(tree.run(layout, Operation.remove(key)).value())
                .as(what)
                .isEqualTo(twin.remove(key));
        case 3 -> {
          byte[] old = twin.get(key);
          assertThat(tree.run(layout, Operation.readModifyWrite(key)).value())
              .as(what)
              .isEqualTo(old);
          if (old != null) {
            twin.put(key, Operation.countedUp(old));
          }
        }
        case 4 ->
            assertThat(tree.run(layout, Operation.get(key)).value())
                .as(what)
                .isEqualTo(twin.get(key));
        default -> assertSameScan(what, twin, tree, layout, key, 1 + random.below(40));
      }
      trees.forEach(other -> other.saw(tree.clock()));
    }
    assertSameScan("the end", twin, trees.get(0), layout, key(0), 1_000);
  }

  private static void assertSameScan(
      String what,
      NavigableMap<byte[], byte[]> twin,
      StudyTree tree,
      TreeLayout layout,
      byte[] from,
      int limit) {
    OperationResult found = tree.run(layout, Operation.scan(from, limit));
    List<Map.Entry<byte[], byte[]>> expected =
        twin.tailMap(from, true).entrySet().stream().limit(limit).toList();
    assertThat(found.keys())
        .as(what)
        .usingElementComparator(Arrays::compareUnsigned)
        .containsExactlyElementsOf(expected.stream().map(Map.Entry::getKey).toList());
    assertThat(found.values())
        .as(what)
        .usingElementComparator(Arrays::compareUnsigned)
        .containsExactlyElementsOf(expected.stream().map(Map.Entry::getValue).toList());
  }

  @ParameterizedTest
  @EnumSource(value = Variant.class, names = "CANOPY", mode = Mode.EXCLUDE)
  void losesNoUpdateWhenAllNodesWriteAndSplit(Variant variant) throws Exception {
    TreeMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < 40; i++) {
      entries.put(key(10L * i), value(0));
    }
    TreeLayout layout = build(variant, 4, entries);
    int rounds = 60;
    ExecutorService clients = Executors.newFixedThreadPool(NODES);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int n = 0; n < NODES; n++) {
        StudyTree tree = trees.get(n);
        int own = n;
        running.add(
            clients.submit(() -> {
              for (int i = 0; i < rounds; i++) {
                tree.run(layout, Operation.readModifyWrite(key(10L * (i % 4))));
                tree.run(layout, Operation.put(key(10L * i + own + 1), value(own)));
              }
            }));
      }
      for (Future<?> client : running) {
        client.get();
      }
    } finally {
      clients.shutdownNow();
    }
    trees.forEach(tree -> trees.get(0).saw(tree.clock()));
    long counted = 0;
    for (int i = 0; i < 4; i++) {
      byte[] value = trees.get(0).run(layout, Operation.get(key(10L * i))).value();
      counted += ByteBuffer.wrap(requireNonNull(value)).getLong();
    }
    assertThat(counted).isEqualTo((long) NODES * rounds);
    OperationResult all = trees.get(0).run(layout, Operation.scan(key(0), 10_000));
    assertThat(all.keys())
        .hasSize(40 + NODES * rounds)
        .isSortedAccordingTo(Arrays::compareUnsigned);
  }

  /** The mechanisms, each in the same tree, take away the requests that they are for. */
  @Test
  void eachMechanismSavesRequests() {
    TreeMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < 400; i++) {
      entries.put(key(i), value(i));
    }
    TreeMap<Variant, Double> reads = new TreeMap<>();
    TreeMap<Variant, Double> updates = new TreeMap<>();
    for (Variant variant : Variant.values()) {
      if (variant != Variant.CANOPY) {
        TreeLayout layout = build(variant, 6, entries);
        reads.put(variant, requestsPerKey(layout, i -> Operation.get(key(i))));
        updates.put(variant, requestsPerKey(layout, i -> Operation.readModifyWrite(key(i))));
      }
    }
    double plain = requireNonNull(reads.get(Variant.BASELINE));
    assertThat(plain).isGreaterThan(2);
    assertThat(reads.get(Variant.SUB_TREES)).isLessThan(plain);
    assertThat(reads.get(Variant.TOP_FULL)).isLessThan(plain);
    assertThat(reads.get(Variant.FIXED_AT_2)).isLessThanOrEqualTo(1);
    assertThat(reads.get(Variant.ALL_INNER)).isLessThanOrEqualTo(1);
    double plainUpdates = requireNonNull(updates.get(Variant.BASELINE));
    assertThat(updates.get(Variant.DIRTY)).isLessThan(plainUpdates);
    assertThat(updates.get(Variant.SUB_TREES)).isLessThan(plainUpdates);
    assertThat(updates.get(Variant.FIXED_AT_2)).isLessThanOrEqualTo(1);
  }

  private double requestsPerKey(TreeLayout layout, IntFunction<Operation> operation) {
    long before = requests();
    for (int i = 0; i < 200; i++) {
      trees.get(0).run(layout, operation.apply(2 * i));
    }
    return (requests() - before) / 200.0;
  }

  private long requests() {
    GmuCounters all = network.node(0).counters();
    for (int i = 1; i < NODES; i++) {
      all = all.plus(network.node(i).counters());
    }
    return all.remoteRequests() + trees.stream().mapToLong(StudyTree::moved).sum();
  }

  @Test
  void whatIsNoVariantIsRefused() {
    assertThat(Variant.parse("baseline, Canopy")).containsExactly(Variant.BASELINE, Variant.CANOPY);
    assertThat(Variant.parse("all")).hasSize(7);
    assertThatThrownBy(() -> Variant.parse("Baseline,STI"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("STI")
        .hasMessageContaining("Sub-trees");
  }

  private TreeLayout build(Variant variant, int arity, SortedMap<byte[], byte[]> entries) {
    TreeBuilder.Built built =
        new TreeBuilder(
                network.node(0), variant, List.of(Variant.values()).indexOf(variant), arity, 20)
            .build(entries);
    trees.forEach(tree -> tree.saw(built.clock()));
    return built.layout();
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] value(long number) {
    return ByteBuffer.allocate(Long.BYTES + 2).putLong(number).array();
  }
}
