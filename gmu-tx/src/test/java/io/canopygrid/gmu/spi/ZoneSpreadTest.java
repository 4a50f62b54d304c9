package io.canopygrid.gmu.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sentence about zones: nodes 0 to 9 in zones, {@code -} for none, and shards at nodes. */
final class ZoneSpreadTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --- | 2 | 01 12 20 | ''
          abc | 2 | 01 12 20 | ''
          aab | 2 | 02 21 12 | ''
          aab | 2 | 0 1 2    | ''
          aab | 2 | 01 12 02 | 1 of 3 shards has two or more of its copies in one zone: some copies are still to be moved
          aab | 3 | 012 210  | 2 of 2 shards have two or more of their copies in one zone: there are nodes in 2 zones, and 3 copies
          a-- | 2 | 01 12 20 | 1 of 3 shards has two or more of its copies in one zone: 2 nodes do not say where they are, start them with a zone
          ab- | 2 | 01 12 20 | ''
          aaa | 2 | 01 12 20 | 3 of 3 shards have two or more of their copies in one zone: there are nodes in one zone, and 2 copies
          ab- | 2 | 21 22 02 | 1 of 3 shards has two or more of its copies in one zone: one node does not say where it is, start it with a zone
          """)
  void saysWhereCopiesShareAZone(String zones, int owners, String shards, String sentence) {
    List<NodeId> members = new ArrayList<>();
    for (int node = 0; node < zones.length(); node++) {
      members.add(new NodeId(node));
    }
    List<Placement> placements = new ArrayList<>();
    for (String shard : shards.trim().split(" +", -1)) {
      List<NodeId> copies =
          shard.chars().mapToObj(node -> members.get(Character.digit(node, 10))).toList();
      placements.add(new Placement(copies, List.of()));
    }
    placements.add(new Placement(members, List.of()));
    ZoneSpread spread =
        ZoneSpread.of(
            new Topology(1, members, placements),
            owners,
            node ->
                zones.substring(members.indexOf(node), members.indexOf(node) + 1).replace("-", ""));
    assertThat(spread.text()).isEqualTo(sentence);
  }
}
