package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Table;
import io.canopygrid.btree.catalog.IndexDrops;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node ends in the middle of a drop, and somebody asks for the same drop again. */
final class InterruptedDropTest {
  private final TestGrid grid = TestGrid.network(2, 2, 8, 64);

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void nobodyUsesTheIndexAnyMoreWhenTheSecondDropReturns() {
    Index<Long, String> index = grid.handle(0).index("letters", Codec.int64(), Codec.string());
    grid.handle(0).run(tx -> tx.on(index).put(1L, "a"));

    assertThat(grid.handle(1).drops().dropIndex("letters", IndexDrops.NEWEST).isAny()).isTrue();
    assertThat(grid.handle(0).dropIndex("letters")).isFalse();

    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> grid.handle(0).run(tx -> tx.on(index).put(1L, "b")));
  }

  @Test
  void nobodyUsesTheTableAnyMoreWhenTheSecondDropReturns() {
    Table<Long, String> table =
        grid.handle(0).table("people", Codec.int64(), Codec.string(), List.of());
    grid.handle(0).run(tx -> tx.on(table).put(1L, "a"));

    assertThat(grid.handle(1).drops().dropTable("people", IndexDrops.NEWEST).isAny()).isTrue();
    assertThat(grid.handle(0).dropTable("people")).isFalse();

    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> grid.handle(0).run(tx -> tx.on(table).put(1L, "b")));
  }

  @Test
  void aDropThatFindsNothingLeavesOtherNamesAlone() {
    Index<Long, String> other = grid.handle(0).index("letters2", Codec.int64(), Codec.string());
    grid.handle(0).index("letters", Codec.int64(), Codec.string());
    assertThat(grid.handle(1).drops().dropIndex("letters", IndexDrops.NEWEST).isAny()).isTrue();
    assertThat(grid.handle(0).dropIndex("letters")).isFalse();
    grid.handle(0).run(tx -> tx.on(other).put(1L, "a"));
    Optional<String> there =
        grid.handle(0)
            .<Optional<String>, RuntimeException>read(
                tx -> Optional.ofNullable(tx.on(other).get(1L)));
    assertThat(there).contains("a");
  }

  @Test
  void aNodeWhoseCopyOfTheCrownLagsBehindCreatesEntriesOfItsTables() {
    FaultyNode lagging = new FaultyNode(grid.node(1));
    lagging.holdTop(grid.node(1).top());
    IndexDefinition<String, String> first =
        IndexDefinition.of("first", Codec.string(), row -> row.substring(0, 1));
    Table<Long, String> table =
        grid.faulty(lagging).table("people", Codec.int64(), Codec.string(), List.of(first));
    table.createIndex(first);
    assertThat(table.index("first")).isEqualTo(IndexState.READY);
  }
}
