package io.canopygrid.btree.tree;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.InvariantViolation;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Each kind of damage to a tree is found and named. */
final class TreeCheckTest {
  /** Damages the root of a tree of three levels and wants the check to say so. */
  private static void found(String message, Consumer<Inner> damage) {
    BPlusTree<Integer> tree = new BPlusTree<>(4);
    for (int i = 0; i < 30; i++) {
      tree.put(new byte[] {7, (byte) (i * 8), 7}, i);
    }
    tree.check();
    damage.accept((Inner) tree.root);
    assertThatThrownBy(tree::check)
        .isInstanceOf(InvariantViolation.class)
        .hasMessageContaining(message);
  }

  private static Inner lower(Inner root) {
    return (Inner) root.children[0];
  }

  private static Leaf leaf(Inner root) {
    return (Leaf) lower(root).children[0];
  }

  @Test
  void keysOutOfOrder() {
    found(
        "keys of one node are not ascending",
        root -> {
          byte[] first = leaf(root).keys[0];
          leaf(root).keys[0] = leaf(root).keys[1];
          leaf(root).keys[1] = first;
        });
  }

  @Test
  void aKeyTwice() {
    found("keys of one node are not ascending", root -> leaf(root).keys[1] = leaf(root).keys[0]);
  }

  @Test
  void aKeyNotBelowTheSeparatorOnItsRight() {
    found(
        "a key is not below the separator on the right",
        root -> lower(root).replaceKey(0, leaf(root).keys[1]));
  }

  @Test
  void aKeyBelowTheSeparatorOnItsLeft() {
    found(
        "a key is below the separator on the left",
        root -> lower(root).replaceKey(0, ((Leaf) lower(root).children[1]).keys[1]));
  }

  @Test
  void aSeparatorOutsideOfThoseAbove() {
    found("separator", root -> root.replaceKey(0, new byte[] {7}));
  }

  @Test
  void tooFewKeys() {
    found("not 2 to 4", root -> leaf(root).remove(0));
    found(
        "not 2 to 4",
        root -> {
          leaf(root).remove(0);
          leaf(root).remove(0);
        });
  }

  @Test
  void tooManyKeys() {
    found(
        "not 2 to 4",
        root -> {
          for (int i = 1; leaf(root).count <= 4; i++) {
            leaf(root).insert(1, new byte[] {7, 0, 7, (byte) (100 - i)}, 0);
          }
        });
  }

  @Test
  void anEntryTooMany() {
    found(
        "the tree's size is 30",
        root -> {
          Leaf leaf = leaf(root);
          leaf.insert(1, new byte[] {7, 0, 7, 7}, 0);
        });
  }

  @Test
  void aWrongHead() {
    found("head 1 of a node", root -> leaf(root).heads[1]++);
  }

  @Test
  void aWrongPrefix() {
    found("the prefix of a node is 1 bytes long, not 0", root -> leaf(root).prefixLength = 0);
  }

  @Test
  void leavesOfDifferentDepth() {
    found("depth", root -> root.children[0] = lower(root).children[0]);
    found("depth", root -> lower(root).children[0] = root.children[root.count].copy(root.epoch));
  }

  @Test
  void aValueMissing() {
    found("the slot of value 0", root -> leaf(root).values[0] = missing());
  }

  @Test
  void aSlotThatKeepsWhatIsGone() {
    found(
        "the slot of value",
        root -> {
          Leaf leaf = leaf(root);
          leaf.values[leaf.count] = "garbage";
        });
  }

  @Test
  void aNodeThatAViewCouldReachAndTheWriterChange() {
    found("of epoch", root -> root.children[0] = lower(root).copy(1));
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T missing() {
    return null;
  }
}
