package io.canopygrid.btree.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.StructureChange;
import io.canopygrid.btree.question.NodeBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes survive their bytes, and bytes that are none are refused as such. */
final class ChangeBytesTest {
  private static List<StructureChange> changes() {
    List<StructureChange> changes = new ArrayList<>();
    for (StructureChange.Kind kind : StructureChange.Kind.values()) {
      for (StructureChange.Reason reason : StructureChange.Reason.values()) {
        for (StructureChange.State state : StructureChange.State.values()) {
          int n = changes.size();
          changes.add(
              new StructureChange(
                  kind, reason, state, "n" + n, new byte[n], "", 1L << n % 60, n, 2, 300, 0));
        }
      }
    }
    return changes;
  }

  /** The bytes have positions: a new constant goes to the end, another order is another version. */
  @Test
  void theOrderOfConstantsIsThatOfTheBytes() {
    assertThat(List.of(StructureChange.Kind.values()).toString()).isEqualTo("[SPLIT, MERGE, MOVE]");
    assertThat(List.of(StructureChange.Reason.values()).toString())
        .isEqualTo("[ASKED, FEW, MANY, HOT, SPREAD, NEAR]");
    assertThat(List.of(StructureChange.State.values()).toString())
        .isEqualTo("[RUNNING, DONE, IN_THE_WAY, IMPOSSIBLE]");
  }

  @Test
  void changesSurvive() {
    List<StructureChange> changes = changes();
    assertThat(ChangeBytes.decode(ChangeBytes.encode(changes)))
        .usingRecursiveComparison()
        .isEqualTo(changes);
    assertThat(ChangeBytes.decode(ChangeBytes.encode(List.of()))).isEmpty();
  }

  @Test
  void questionsSurvive() {
    for (int index : new int[] {0, 1, 300, Integer.MAX_VALUE}) {
      assertThat(ChangeBytes.decodeQuestion(ChangeBytes.encodeQuestion(index))).isEqualTo(index);
    }
  }

  @Test
  void bytesThatAreNoneAreRefused() {
    byte[] bytes = ChangeBytes.encode(changes().subList(0, 3));
    for (int length = 0; length < bytes.length; length++) {
      refused(Arrays.copyOf(bytes, length));
    }
    refused(Arrays.copyOf(bytes, bytes.length + 1));
    byte[] other = bytes.clone();
    other[0] = NodeBytes.VERSION + 1;
    refused(other);
    byte[] kind = bytes.clone();
    kind[2] = (byte) StructureChange.Kind.values().length;
    refused(kind);
  }

  private static void refused(byte[] bytes) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> ChangeBytes.decode(bytes))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR));
  }
}
