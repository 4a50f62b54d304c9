package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.infinispan.MemberLog.Known;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.RecoveryDecision.Founded;
import io.canopygrid.gmu.recovery.RecoveryDecision.Mixed;
import io.canopygrid.gmu.recovery.RecoveryDecision.Waits;
import io.canopygrid.recovery.LostDisks;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DiskWaitTest {
  private static final NodeId N1 = new NodeId(1);
  private static final NodeId N2 = new NodeId(2);
  private static final NodeId N3 = new NodeId(3);

  private final DiskWait wait =
      new DiskWait("shop", 4, node -> node + " at x:1", node -> node + " at y:2");

  @Test
  void tooFewDisks() {
    assertThat(wait.text(new Waits(3, List.of(N1, N2), Set.of()), Set.of(N3)))
        .isEqualTo(
            "grid 'shop' waits for disks: 1 of the 3 that it had last are there, which is too few:"
                + " the others could have gone on without them. Nodes that are there: n3 at y:2."
                + " Start the missing ones: n1 at x:1, n2 at x:1");
  }

  @Test
  void shardsWithoutACopyAreCounted() {
    assertThat(wait.text(new Waits(3, List.of(N1), Set.of(0, 3, 4)), Set.of(N3, N2)))
        .isEqualTo(
            "grid 'shop' waits for disks: 2 of the 3 that it had last are there, and none of these"
                + " has a complete copy of 2 of 4 shards. Nodes that are there: n2 at y:2, n3 at"
                + " y:2. Start the missing ones: n1 at x:1");
  }

  @Test
  void onlyDisksThatWereJoining() {
    assertThat(wait.text(new Waits(1, List.of(), Set.of(4)), Set.of(N3)))
        .contains("none of these knows where the data is")
        .endsWith("Start all other nodes that have data of this grid");
  }

  @Test
  void enoughDisksThatWaitForOthers() {
    List<NodeId> all = List.of(N1, N2, N3);
    Topology newest = new Topology(7, all, List.of(new Placement(all, List.of())));
    List<DiskId> two = List.of(new DiskId(1), new DiskId(2));
    assertThat(
            wait.text(
                new Founded(
                    newest,
                    two,
                    List.of(two),
                    Set.of(),
                    Set.of(),
                    List.of(),
                    VectorClock.ZERO,
                    null),
                Set.of(N1, N2)))
        .contains("about to be founded with 2 of the 3 disks", "n1 at y:2, n2 at y:2");
  }

  @Test
  void severalGridsAndNodesThatHaveSaidNothing() {
    UUID one = new UUID(0, 1);
    assertThat(wait.text(new Mixed(Set.of(one)), Set.of(N1))).contains(one.toString());
    assertThat(wait.text(null, Set.of(N1))).contains("not all nodes").endsWith("n1 at y:2");
  }

  @Test
  void namesOfMembersAreKept() throws InterruptedException {
    BlockingQueue<String> kept = new LinkedBlockingQueue<>();
    new MemberNames(new TextNotes("", kept))
        .are(Map.of(N1, new Known("vm 1", "10.0.0.1:7800", ""), N2, new Known("vm2", "-", "a")));
    MemberNames later = new MemberNames(new TextNotes(kept.take(), kept));
    assertThat(later.of(N1)).isEqualTo("vm 1 at 10.0.0.1:7800 (n1)");
    assertThat(later.of(N3)).isEqualTo("n3");
    assertThat(new MemberNames(new TextNotes("damaged", kept)).of(N1)).isEqualTo("n1");
  }

  private record TextNotes(String members, BlockingQueue<String> kept) implements DiskNotes {
    @Override
    public void keepMembers(String text) {
      kept.add(text);
    }

    @Override
    public void waits(String why) {
      throw new AssertionError(why);
    }

    @Override
    public void canBeTold(@Nullable LostDisks disks) {
      throw new AssertionError("is not asked");
    }
  }
}
