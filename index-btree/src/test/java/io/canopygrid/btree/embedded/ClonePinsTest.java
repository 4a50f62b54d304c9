package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexStructure;
import io.canopygrid.Range;
import io.canopygrid.Subtree;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.catalog.ClonePins;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.ClonePin;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The pins of clones are there as long as somebody needs them. */
final class ClonePinsTest {
  private static final TransactionOptions NIGHT = TransactionOptions.DEFAULTS.at("night");

  private static List<ClonePin> pins(GmuNode node) {
    List<ClonePin> found = new ArrayList<>();
    OrderedCursor<VersionChain> pins = node.top().ascending(ClonePin.least().bytes());
    byte[] end = ReservedKcl.PINS.endKey();
    while (pins.next() && Arrays.compareUnsigned(pins.key(), end) < 0) {
      if (pins.value().value() != null) {
        found.add(ClonePin.of(CompositeKey.ofBytes(pins.key()).ku()));
      }
    }
    return found;
  }

  private static long count(Canopy db, Index<Long, Long> index, TransactionOptions options) {
    Long count = db.read(options, tx -> tx.on(index).count(Range.all()));
    return count;
  }

  /** Waits until every transaction has the newest entry of the clone. */
  private static void awaitSettled(GmuNode node) throws InterruptedException {
    byte[] key = CatalogEntry.key("copy").bytes();
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!Objects.requireNonNull(node.top().get(key)).clock().equals(VectorClock.ZERO)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  @Test
  void pinsOutliveAFlattenedCloneUntilNoSnapshotShowsItsLayers() throws Exception {
    try (TestGrid grid = TestGrid.standalone(8)) {
      Canopy db = grid.handle(0);
      GmuNode node = grid.node(0);
      Index<Long, Long> parent = db.index("parent", Codec.int64(), Codec.int64());
      db.run(tx -> {
        for (long key = 0; key < 50; key++) {
          tx.on(parent).put(key, key);
        }
      });
      db.cloneIndex("other", CloneSource.of("parent"));
      db.cloneIndex("copy", CloneSource.of("other"));
      Index<Long, Long> copy = db.index("copy", Codec.int64(), Codec.int64());
      ClonePins atOnce = new ClonePins(node, 0);
      assertThat(pins(node)).extracting(ClonePin::name).containsExactly("other", "copy");
      db.snapshot("night");
      db.flattenClone("copy");
      db.run(tx -> tx.on(copy).remove(1L)); // leaves a mask
      atOnce.dropUnneeded();
      assertThat(pins(node)).hasSize(2);
      db.dropIndex("other");
      assertThat(count(db, copy, NIGHT)).isEqualTo(50);
      db.dropSnapshot("night");
      new ClonePins(node, 60_000).dropUnneeded();
      assertThat(pins(node)).as("its time is not over").hasSize(2);
      atOnce.dropUnneeded();
      assertThat(pins(node)).isEmpty();
      awaitSettled(node);
      assertThat(count(db, copy, TransactionOptions.DEFAULTS)).isEqualTo(49);
      db.run(tx -> tx.on(copy).removeRange(Range.all()));
      assertThat(stored(db)).as("the mask of the removal before").isEqualTo(1);
    }
  }

  /** The entries of the clone's own tree, masks included. */
  private static long stored(Canopy db) {
    IndexStructure structure = db.structure("copy");
    return structure.subtrees().stream().mapToLong(Subtree::entries).sum();
  }
}
