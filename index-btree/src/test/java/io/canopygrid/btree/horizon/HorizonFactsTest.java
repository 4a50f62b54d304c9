package io.canopygrid.btree.horizon;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.HoldingTransaction;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.HeldVersions;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HorizonFactsTest {
  @Test
  void travelAsTheyAre() {
    List<HoldingTransaction> open =
        List.of(new HoldingTransaction("päyment", 5_000_000_000L), new HoldingTransaction("", 7));
    HeldVersions held = new HeldVersions(1L << 40, 2, 3_000_000, open, 4, 5_000_000, 6_000_000);
    HorizonFacts facts = HorizonFacts.of(new NodeId(-3), held);

    assertThat(HorizonFacts.decode(facts.encode())).isEqualTo(facts);
    assertThat(facts.open()).contains(new HorizonFacts.Open("päyment", 5_000));
    assertThat(facts.horizonMillis()).isEqualTo(3);
    assertThat(facts.unforcedMillis()).isEqualTo(6);
  }
}
