package io.canopygrid.server.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.wire.client.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sentence about a grid, for nodes that are there (+) or not (-), with 6 shards. */
final class GridVerdictTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          +++ | 2 | true  | 3 of 3 nodes, 12 of 12 copies, one more failure is survived
          +++++ | 3 | true | 5 of 5 nodes, 18 of 18 copies, 2 failures at once are survived
          ++ | 2 | true   | 2 of 2 nodes, 12 of 12 copies, no failure is survived
          + | 1 | true    | 1 of 1 nodes, 6 of 6 copies, no failure is survived
          + | 1 | false   | 1 of 1 nodes, 6 of 6 copies, no failure is survived; the server that says so is not ready
          ++- | 2 | false | 2 of 3 nodes, 8 of 12 copies, 2 shards are not served
          +-- | 2 | false | 1 of 3 nodes, 4 of 12 copies, nothing is served: half of the nodes or more were lost at once. Where they do not answer again, stop those that are left and start the grid anew
          +- | 2 | false  | 1 of 2 nodes, 6 of 12 copies, nothing is served: half of the nodes or more were lost at once. Where they do not answer again, stop those that are left and start the grid anew
          """)
  void saysHowTheGridIs(String nodes, int owners, boolean ready, String sentence) {
    assertThat(GridVerdict.of(status(nodes, owners, ready)).text(false)).isEqualTo(sentence);
  }

  @Test
  void whatIsOnDiskCanBeStartedAgain() {
    assertThat(GridVerdict.of(status("+--", 2, false)).text(true))
        .endsWith("Start the lost ones again: their data is on their disks");
    assertThat(GridVerdict.of(status("+++", 2, true)).text(true)).doesNotContain("disks");
  }

  @ParameterizedTest
  @CsvSource({
    "+++, 2, true, GOOD",
    "+++, 2, false, AT_RISK",
    "++, 2, true, AT_RISK",
    "+++, 1, true, AT_RISK",
    "++-, 2, true, BROKEN",
    "+--, 2, true, BROKEN"
  })
  void saysHowMuchSomebodyIsToLook(
      String nodes, int owners, boolean ready, GridVerdict.Level level) {
    assertThat(GridVerdict.of(status(nodes, owners, ready)).level()).isEqualTo(level);
  }

  /** Copies that are still to be made: another failure might lose the last one. */
  @ParameterizedTest
  @CsvSource({"12, 1", "11, 0"})
  void aMissingCopyIsNoReserve(int copies, int survived) {
    Reply.Status complete = status("+++", 2, true);
    Reply.NodeStatus first = complete.nodes().get(0);
    List<Reply.NodeStatus> nodes = new ArrayList<>(complete.nodes());
    nodes.set(0, node(first.node(), true, first.primaryShards(), copies - 8));
    GridVerdict verdict =
        GridVerdict.of(new Reply.Status("n0", 1, 6, 2, true, 0, nodes, List.of()));

    assertThat(verdict.survived()).isEqualTo(survived);
  }

  private static Reply.Status status(String nodes, int owners, boolean ready) {
    List<Reply.NodeStatus> list = new ArrayList<>();
    int members = nodes.length();
    for (int i = 0; i < members; i++) {
      int primaries = 6 * (i + 1) / members - 6 * i / members;
      int copies = 6 * owners * (i + 1) / members - 6 * owners * i / members;
      list.add(node("n" + i, nodes.charAt(i) == '+', primaries, copies));
    }
    return new Reply.Status("n0", 1, 6, owners, ready, 0, list, List.of());
  }

  private static Reply.NodeStatus node(String node, boolean reachable, int primaries, int copies) {
    return new Reply.NodeStatus(node, "", "1", "", "", reachable, true, 0, 0, 0, primaries, copies);
  }
}
