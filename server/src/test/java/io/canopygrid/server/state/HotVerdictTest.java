package io.canopygrid.server.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.wire.client.HotEntry;
import io.canopygrid.wire.client.HotNode;
import io.canopygrid.wire.client.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HotVerdictTest {
  private static final HotEntry ENTRY = new HotEntry(1, new byte[0], "n1", 1, 1, List.of());

  private static HotVerdict verdict(int entries, int hidden, HotNode.Mode... modes) {
    List<HotNode> nodes = new ArrayList<>();
    for (HotNode.Mode mode : modes) {
      nodes.add(new HotNode("n" + (nodes.size() + 1), mode, 0, 0, 0, 0));
    }
    return HotVerdict.of(new Reply.HotEntries(nodes, Collections.nCopies(entries, ENTRY), hidden));
  }

  @Test
  void saysHowToTurnThemOn() {
    HotVerdict off = verdict(0, 0, HotNode.Mode.OFF, HotNode.Mode.OFF);
    assertThat(off.mode()).isEqualTo("off");
    assertThat(off.text())
        .isEqualTo(
            "Copies of hot entries are off: set balance.hotEntries to auto on all nodes, and start"
                + " them again.");
    HotVerdict mixed = verdict(0, 0, HotNode.Mode.ON, HotNode.Mode.OFF, HotNode.Mode.OFF);
    assertThat(mixed.mode()).isEqualTo("mixed");
    assertThat(mixed.text()).startsWith("Copies of hot entries are off at n2, n3: set");
  }

  @Test
  void countsEntries() {
    assertThat(verdict(0, 0, HotNode.Mode.ON).text()).startsWith("No entry is hot");
    assertThat(verdict(1, 1, HotNode.Mode.ON).text())
        .isEqualTo("One entry is hot. There is one more, of an index that you may not read.");
    assertThat(verdict(3, 2, HotNode.Mode.ON).text())
        .isEqualTo("3 entries are hot. There are 2 more, of indexes that you may not read.");
    assertThat(verdict(3, 2, HotNode.Mode.ON).mode()).isEqualTo("on");
  }
}
