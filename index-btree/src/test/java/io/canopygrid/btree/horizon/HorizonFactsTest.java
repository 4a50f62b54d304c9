package io.canopygrid.btree.horizon;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.OpenTransaction;
import io.canopygrid.gmu.node.HeldVersions;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HorizonFactsTest {
  @Test
  void travelAsTheyAre() {
    List<OpenTransaction> open =
        List.of(new OpenTransaction("päyment", 5_000_000_000L), new OpenTransaction("", 7));
    HorizonFacts facts =
        new HorizonFacts(new NodeId(-3), new HeldVersions(1L << 40, 2, 3, open, 4, 5, 6));

    assertThat(HorizonFacts.decode(facts.encode())).isEqualTo(facts);
  }
}
