package io.canopygrid.server.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.wire.client.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sentence about data, for nodes that have it in memory, on disk, or do not tell (-). */
final class DataVerdictTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MMM | memory | data: in memory on all nodes; all is gone when all nodes stop
          AAA | async  | data: on disk, async, on all nodes
          FFF | fsync  | data: on disk, fsync, on all nodes
          A-A | async  | data: on disk, async, on 2 of 3 nodes, the others have not told
          M-- | memory | data: in memory on 1 of 3 nodes, the others have not told; all is gone when all nodes stop
          MA  |        | data: not all nodes keep it in the same place
          --- |        |
          """)
  void saysWhereDataIs(String nodes, String place, String sentence) {
    DataVerdict verdict = verdict(nodes);
    assertThat(verdict.text()).isEqualTo(sentence);
    assertThat(verdict.place()).isEqualTo(place);
  }

  @Test
  void ofANodeItSaysTheRoomToo() {
    DataVerdict verdict = verdict("MAF-");
    assertThat(verdict.text("n0")).isEqualTo("memory");
    assertThat(verdict.text("n1")).isEqualTo("async, 1.5 of 20.0 GiB free");
    assertThat(verdict.text("n2")).as("no room is known").isEqualTo("fsync");
    assertThat(verdict.text("n3")).isNull();
    assertThat(verdict.place("n3")).isNull();
  }

  @Test
  void aServerOfAnOlderReleaseSaysNothing() {
    assertThat(DataVerdict.of(status(3), Optional.empty()).text()).isNull();
  }

  private static DataVerdict verdict(String nodes) {
    List<Reply.NodeDisk> disks = new ArrayList<>();
    for (int i = 0; i < nodes.length(); i++) {
      String node = "n" + i;
      switch (nodes.charAt(i)) {
        case 'M' -> disks.add(new Reply.NodeDisk(node, null, 0, 0));
        case 'A' -> disks.add(new Reply.NodeDisk(node, Durability.ASYNC, 20L << 30, 3L << 29));
        case 'F' -> disks.add(new Reply.NodeDisk(node, Durability.FSYNC, 0, 0));
        default -> {}
      }
    }
    disks.add(new Reply.NodeDisk("stranger", null, 0, 0));
    return DataVerdict.of(status(nodes.length()), Optional.of(new Reply.Disks(disks)));
  }

  private static Reply.Status status(int members) {
    List<Reply.NodeStatus> nodes = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      nodes.add(new Reply.NodeStatus("n" + i, "", "1", "", "", true, true, 0, 0, 0, 1, 1));
    }
    return new Reply.Status("n0", 1, 6, 2, true, 0, nodes, List.of());
  }
}
