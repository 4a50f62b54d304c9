package io.canopygrid.btree.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the promises to callers, and which nodes the writer changes in place. */
final class BPlusTreeTest {
  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  private static BPlusTree<Integer> filled(int arity, int entries) {
    BPlusTree<Integer> tree = new BPlusTree<>(arity);
    for (int i = 0; i < entries; i++) {
      tree.put(key(i), i);
    }
    tree.check();
    return tree;
  }

  private static Leaf firstLeaf(TreeNode root) {
    TreeNode node = root;
    while (node instanceof Inner inner) {
      node = inner.children[0];
    }
    return (Leaf) node;
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 3, 1025, Integer.MAX_VALUE})
  void arityOutOfRangeIsRefused(int arity) {
    assertThatThrownBy(() -> new BPlusTree<>(arity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("arity must be 4 to 1024: arity=" + arity);
    assertThatThrownBy(() -> BPlusTree.factory(arity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("arity=" + arity);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 7, 64, 129, 1024})
  void everyArityInRangeGrowsAndShrinks(int arity) {
    int entries = 5 * arity;
    BPlusTree<Integer> tree = filled(arity, entries);
    assertThat(((TreeView<Integer>) tree.view()).height).isPositive();
    for (int i = 0; i < entries; i++) {
      assertThat(tree.remove(key((i % 2 == 0 ? i : 2 * entries - 1 - i) / 2)))
          .as("%s", i)
          .isNotNull();
      tree.check();
    }
    assertThat(tree.size()).isZero();
  }

  @Test
  void factoriesMakeEmptyTrees() {
    OrderedStore<String> store = BPlusTree.factory(5).create();
    store.put(key(1), "a");
    assertThat(((BPlusTree<String>) store).arity()).isEqualTo(5);
    OrderedStore<String> other = BPlusTree.factory().create();
    assertThat(other.size()).isZero();
    assertThat(((BPlusTree<String>) other).arity()).isEqualTo(BPlusTree.ARITY_DEFAULT);
  }

  @Test
  void anEmptyTreeHasNothing() {
    BPlusTree<Integer> tree = new BPlusTree<>(4);
    tree.check();
    assertThat(tree.get(key(1))).isNull();
    assertThat(tree.get(new byte[0])).isNull();
    assertThat(tree.remove(key(1))).isNull();
    OrderedView<Integer> view = tree.view();
    assertThat(view.size()).isZero();
    assertThat(view.ascending(new byte[0]).next()).isFalse();
    assertThat(view.descending(null).next()).isFalse();
    assertThat(view.descending(key(1)).next()).isFalse();
  }

  @Test
  void nullsAreRefused() {
    BPlusTree<Integer> tree = filled(4, 10);
    assertThatThrownBy(() -> tree.put(key(1), nothing())).isInstanceOf(NullPointerException.class);
    assertThat(tree.get(key(1))).isEqualTo(1);
    tree.check();
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  @Test
  void aCursorStandsOnNothingBeforeItsFirstStepAndAfterItsLast() {
    OrderedView<Integer> view = filled(4, 20).view();
    for (OrderedCursor<Integer> cursor :
        List.of(view.ascending(key(15)), view.descending(key(5)))) {
      assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
      for (int i = 0; i < 5; i++) {
        assertThat(cursor.next()).isTrue();
      }
      assertThat(cursor.key()).isEqualTo(key(cursor.value()));
      assertThat(cursor.next()).isFalse();
      assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aViewIsTheSameUntilSomethingChanges() {
    BPlusTree<Integer> tree = filled(4, 20);
    OrderedView<Integer> view = tree.view();
    assertThat(tree.view()).isSameAs(view);
    tree.remove(key(99));
    assertThat(tree.view()).as("after the removal of nothing").isSameAs(view);
    tree.put(key(1), -1);
    assertThat(tree.view()).isNotSameAs(view);
    assertThat(view.get(key(1))).isEqualTo(1);
    assertThat(tree.view().get(key(1))).isEqualTo(-1);
  }

  @Test
  void writesBetweenViewsCopyEachNodeOnce() {
    BPlusTree<Integer> tree = filled(8, 500);
    final TreeNode seen = ((TreeView<Integer>) tree.view()).root;
    tree.put(key(0), -1);
    TreeNode root = tree.root;
    Leaf leaf = firstLeaf(root);
    assertThat(root).isNotSameAs(seen);
    assertThat(leaf).isNotSameAs(firstLeaf(seen));
    tree.put(new byte[] {0, 0, 0, 0, 0}, -1);
    tree.put(key(1), -1);
    tree.remove(key(2));
    assertThat(tree.root).isSameAs(root);
    assertThat(firstLeaf(tree.root)).isSameAs(leaf);
    tree.check();
  }

  @Test
  void anOverwriteCopiesNoKeys() {
    BPlusTree<Integer> tree = filled(8, 500);
    TreeNode before = ((TreeView<Integer>) tree.view()).root;
    tree.put(key(0), -1);
    TreeNode after = ((TreeView<Integer>) tree.view()).root;
    assertThat(after.keys).isSameAs(before.keys);
    assertThat(firstLeaf(after).keys).isSameAs(firstLeaf(before).keys);
    assertThat(firstLeaf(after).values).isNotSameAs(firstLeaf(before).values);
  }

  @Test
  void separatorsAreCutShort() {
    BPlusTree<Integer> tree = new BPlusTree<>(4);
    for (int i = 0; i < 200; i++) {
      byte[] key = new byte[8192];
      key[0] = (byte) i;
      tree.put(key, i);
    }
    tree.check();
    Inner root = (Inner) tree.root;
    for (int i = 0; i < root.count; i++) {
      assertThat(root.keys[i]).hasSize(1);
    }
  }
}
