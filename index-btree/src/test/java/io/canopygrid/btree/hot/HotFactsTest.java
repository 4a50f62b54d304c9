package io.canopygrid.btree.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.HotFigures;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HotFactsTest {
  private static HotFigures.Key hot(CompositeKey key) {
    return new HotFigures.Key(key, 1_234.5678, 0.5, List.of(new NodeId(7)));
  }

  @Test
  void travelAsTheyAre() {
    HotFigures figures =
        new HotFigures(
            HotFigures.Mode.ON,
            List.of(
                hot(EntryKeys.of(3, new byte[] {1})),
                hot(EntryKeys.schema(3, 1)),
                hot(EntryKeys.of(4, new byte[] {2}))),
            5,
            1L << 40,
            6);
    HotFacts facts =
        HotFacts.decode(HotFacts.of(new NodeId(-3), figures, kcl -> kcl == 3 ? 9 : null).encode());

    assertThat(facts.node()).isEqualTo(new NodeId(-3).toString());
    assertThat(facts.mode()).isEqualTo(HotFacts.Mode.ON);
    assertThat(facts.copies()).isEqualTo(5);
    assertThat(facts.reads()).isEqualTo(1L << 40);
    assertThat(facts.pushes()).isEqualTo(6);
    assertThat(facts.entries())
        .as("the keys of no index are left out, and those of no entry")
        .hasSize(1);
    HotFacts.Entry entry = facts.entries().get(0);
    assertThat(entry.index()).isEqualTo(9);
    assertThat(entry.key()).containsExactly(1);
    assertThat(entry.readsPerSecond()).isEqualTo(1_234.568);
    assertThat(entry.copyReadsPerSecond()).isEqualTo(0.5);
    assertThat(entry.keepers()).containsExactly(new NodeId(7).toString());
  }

  @Test
  void allModesTravel() {
    for (HotFigures.Mode mode : HotFigures.Mode.values()) {
      HotFacts facts =
          HotFacts.of(new NodeId(1), new HotFigures(mode, List.of(), 0, 0, 0), kcl -> null);
      assertThat(HotFacts.decode(facts.encode())).isEqualTo(facts);
      assertThat(facts.mode().name()).isEqualTo(mode.name());
    }
  }
}
