package io.canopygrid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Records that hold bytes show them in messages and logs. */
final class TextOfRecordsTest {
  private static final byte[] KEY = {0, 1, (byte) 0xab, -1};

  @Test
  void aSubtreeSaysItsKeys() {
    Subtree subtree = new Subtree(KEY, "vm1", 3, 4, 5, 1.5, 2.5, List.of(KEY, new byte[] {7}));
    assertThat(subtree)
        .hasToString(
            "Subtree[from=0001abff, node=vm1, shard=3, entries=4, bytes=5, readsPerSecond=1.5,"
                + " writesPerSecond=2.5, cuts=[0001abff, 07]]");
  }

  @Test
  void aChangeSaysItsKey() {
    StructureChange change =
        new StructureChange(
            StructureChange.Kind.SPLIT,
            StructureChange.Reason.HOT,
            StructureChange.State.DONE,
            "vm1",
            KEY,
            "vm2",
            1,
            2,
            3,
            4,
            5);
    assertThat(change)
        .hasToString(
            "StructureChange[kind=SPLIT, reason=HOT, state=DONE, by=vm1, from=0001abff, target=vm2,"
                + " startedMillis=1, tookMillis=2, moved=3, entries=4, etaMillis=5]");
  }

  @Test
  void anEntryOfAnIndexSaysWhatItCovers() {
    assertThat(
            IndexDefinition.of("name", Codec.string(), (String row) -> row).entry("Ada", 7L, KEY))
        .hasToString("IndexEntry[attribute=Ada, key=7, covered=0001abff]");
  }
}
