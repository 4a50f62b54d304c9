package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CutOff;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexStructure;
import io.canopygrid.StructureChange;
import io.canopygrid.StructureChange.Kind;
import io.canopygrid.StructureChange.State;
import io.canopygrid.Subtree;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** An index can be cut and placed by hand. */
@NullUnmarked // null is passed in on purpose
abstract class StructureContract extends Theme {
  StructureContract(ContractGrid grid) {
    super(grid);
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> beginnings(IndexStructure structure) {
    return structure.subtrees().stream()
        .map(subtree -> new String(subtree.from(), StandardCharsets.UTF_8))
        .toList();
  }

  /**
   * A change as it ended, asked for again where it did not come to its end, a hundred times at
   * most. The balance may be in the way, or may just have put another subtree in the place of this
   * one.
   */
  private static StructureChange made(Supplier<StructureChange> change)
      throws InterruptedException {
    StructureChange made = change.get();
    for (int i = 0; i < 100 && made.state() != State.DONE; i++) {
      TimeUnit.MILLISECONDS.sleep(100);
      made = change.get();
    }
    return made;
  }

  @Test
  void splitsMergesAndMovesAsAsked() throws InterruptedException {
    write(v -> {
      v.put("a", "1");
      v.put("m", "2");
      v.put("z", "3");
    });
    IndexStructure structure = db.structure(name);
    assertThat(structure.subtrees()).hasSize(1);
    StructureChange split = made(() -> structure.split(bytes("k")));
    assertThat(split.state()).isEqualTo(State.DONE);
    assertThat(split.kind()).isEqualTo(Kind.SPLIT);
    assertThat(split.reason()).isEqualTo(StructureChange.Reason.ASKED);
    assertThat(split.moved()).isEqualTo(2);
    assertThat(beginnings(structure)).containsExactly("", "k");
    refused(ErrorCode.INVALID_ARGUMENT, () -> structure.split(bytes("k")));

    Set<String> nodes =
        grid.handle(0).structure(name).subtrees().stream()
            .map(Subtree::node)
            .collect(Collectors.toSet());
    String there = structure.subtrees().get(0).node();
    refused(ErrorCode.INVALID_ARGUMENT, () -> structure.move(bytes("a"), there));
    refused(ErrorCode.INVALID_ARGUMENT, () -> structure.move(bytes("a"), "nobody"));
    assertThatThrownBy(() -> structure.move(bytes("a"), "nobody"))
        .hasMessageContaining("'nobody'")
        .hasMessageContaining("'" + there + "'");
    assertThat(nodes).doesNotContain("");
    if (nodes.size() > 1) {
      StructureChange moved =
          made(() -> structure.move(bytes("b"), structure.subtrees().get(1).node()));
      assertThat(moved.state()).isEqualTo(State.DONE);
      assertThat(structure.subtrees().stream().map(Subtree::node).collect(Collectors.toSet()))
          .hasSize(1);
    }
    assertThat(structure.subtrees().stream().mapToLong(Subtree::entries).sum()).isEqualTo(3);

    assertThat(made(() -> structure.merge(bytes("x"))).state()).isEqualTo(State.DONE);
    assertThat(beginnings(structure)).containsExactly("");
    refused(ErrorCode.INVALID_ARGUMENT, () -> structure.merge(bytes("x")));
    assertThat(structure.changes())
        .extracting(StructureChange::kind)
        .contains(Kind.SPLIT, Kind.MERGE);
    assertThat(keys()).containsExactly("a", "m", "z");
  }

  private List<String> keys() {
    return all().stream().map(java.util.Map.Entry::getKey).toList();
  }

  @Test
  void aCutOffIsShownAndFixed() {
    write(v -> v.put("a", "1"));
    IndexStructure structure = db.structure(name);
    CutOff before = structure.cutOff();
    assertThat(before.subtrees()).isEqualTo(1);
    assertThat(before.fixed()).isFalse();
    CutOff fixed = structure.fixCutOff(OptionalInt.of(3));
    assertThat(fixed.fixed()).isTrue();
    assertThat(fixed.subtreesPerNode()).isEqualTo(3);
    assertThat(fixed.wanted()).isEqualTo(3 * before.wanted() / before.subtreesPerNode());
    assertThat(structure.fixCutOff(OptionalInt.empty())).isEqualTo(before);
  }

  @Test
  void refusesWhatCannotBe() {
    IndexStructure structure = db.structure(name);
    refused(ErrorCode.UNKNOWN_INDEX, () -> db.structure("no-such-index"));
    refused(ErrorCode.INVALID_INDEX_NAME, () -> db.structure("no index"));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.structure(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> structure.split(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> structure.move(bytes("a"), null));
    refused(ErrorCode.KEY_TOO_LARGE, () -> structure.merge(new byte[8_193]));
    refused(ErrorCode.INVALID_ARGUMENT, () -> structure.fixCutOff(OptionalInt.of(0)));
    refused(ErrorCode.INVALID_ARGUMENT, () -> structure.fixCutOff(OptionalInt.of(10_001)));
  }
}
