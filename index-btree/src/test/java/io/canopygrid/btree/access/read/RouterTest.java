package io.canopygrid.btree.access.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.SubtreeHeader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The way to the subtree that has a key, with a copy of the crown that is behind. */
final class RouterTest {
  private static final long LEFT = 1L << 40 | 1;
  private static final long RIGHT = 2L << 40 | 1;
  private static final long GONE = 3L << 40 | 1;

  /** Subtree LEFT has given what is from "m" on to RIGHT; GONE has gone to LEFT before that. */
  private final SubtreeHeader left =
      new SubtreeHeader(1, 8, new byte[0], key("m"), 0, RIGHT, 0, null, 0, 0);

  private final SubtreeHeader gone =
      new SubtreeHeader(1, 8, key("m"), null, LEFT, 0, LEFT, null, LEFT, 0);

  private final CrownEntry behind = new CrownEntry(1, key("m"), GONE, LEFT);

  @Test
  void theCrownsAnswerIsAShortCut() {
    assertThat(Router.towards(behind, LEFT, left, key("x"), kcl -> false)).isEqualTo(GONE);
  }

  @Test
  void aSubtreeThatHasRefusedIsNotAskedAgain() {
    assertThat(Router.towards(behind, GONE, gone, key("x"), Set.of(LEFT, GONE)::contains))
        .isEqualTo(LEFT);
    assertThat(Router.towards(behind, LEFT, left, key("x"), Set.of(LEFT, GONE)::contains))
        .isEqualTo(RIGHT);
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
