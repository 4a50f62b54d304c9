package io.canopygrid.btree.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All small inputs at the smallest arity, where a handful of keys splits, borrows and joins. */
final class SmallTreesTest {
  private static final int ARITY = 4;

  @Test
  void everyOrderOfUpToSevenInsertsAndRemovals() {
    for (int keys = 0; keys <= 7; keys++) {
      List<int[]> orders = permutations(keys);
      for (int i = 0; i < orders.size(); i++) {
        insertAndRemove(0, orders.get(i), orders.get((i * 31 + 7) % orders.size()));
      }
    }
  }

  @Test
  void everyOrderOfInsertsWithEveryOrderOfRemovals() {
    List<int[]> orders = permutations(5);
    for (int[] inserts : orders) {
      for (int[] removals : orders) {
        insertAndRemove(0, inserts, removals);
      }
    }
  }

  /** Among 40 others, so that inner nodes borrow and join too. */
  @Test
  void everyOrderOfRemovalsFromATreeOfThreeLevels() {
    int[] inserts = {10, 11, 12, 13, 14, 15};
    for (int[] order : permutations(inserts.length)) {
      int[] removals = Arrays.stream(order).map(i -> inserts[i]).toArray();
      insertAndRemove(40, inserts, removals);
    }
  }

  @Test
  void everyOneOfManyIsRemovedFromEverySize() {
    for (int size = 1; size <= 60; size++) {
      for (int removed = 0; removed < size; removed++) {
        TreeTwin twin = filled(size);
        twin.remove(key(2 * removed));
        twin.scanUp(new byte[0], size);
      }
    }
  }

  /** Views at every step from nothing to nothing see what was then. */
  @Test
  void everyViewStaysAsItWas() {
    for (int stride : new int[] {1, 7, 53}) {
      TreeTwin twin = new TreeTwin(ARITY);
      for (int i = 0; i < 60; i++) {
        twin.keepView(i);
        twin.put(key(i * stride % 60), i);
      }
      assertThat(twin.height()).as("height").isGreaterThanOrEqualTo(2);
      for (int i = 0; i < 60; i++) {
        twin.keepView(60 + i);
        twin.remove(key(i * 7 % 60));
      }
      assertThat(twin.size()).as("size at the end").isZero();
      twin.checkKeptViews();
    }
  }

  private static void insertAndRemove(int others, int[] inserts, int[] removals) {
    try {
      TreeTwin twin = filled(others);
      for (int i : inserts) {
        twin.put(key(2 * i + 1), i);
      }
      twin.keepView(0);
      for (int i : removals) {
        twin.scanUp(key(2 * i), inserts.length);
        twin.scanDown(key(2 * i + 1), inserts.length);
        twin.remove(key(2 * i + 1));
      }
      assertThat(twin.size()).as("size at the end").isEqualTo(others);
      twin.checkKeptViews();
    } catch (AssertionError | RuntimeException failure) {
      String orders = Arrays.toString(inserts) + " then " + Arrays.toString(removals);
      throw new AssertionError("inserts " + orders, failure);
    }
  }

  /** With keys 0, 2, 4 and so on. */
  private static TreeTwin filled(int size) {
    TreeTwin twin = new TreeTwin(ARITY);
    for (int i = 0; i < size; i++) {
      twin.put(key(2 * i), i);
    }
    return twin;
  }

  private static byte[] key(int i) {
    return new byte[] {'k', (byte) i};
  }

  private static List<int[]> permutations(int length) {
    List<int[]> all = new ArrayList<>();
    permute(new int[length], 0, 0, all);
    return all;
  }

  private static void permute(int[] order, int at, int used, List<int[]> all) {
    if (at == order.length) {
      all.add(order.clone());
      return;
    }
    for (int i = 0; i < order.length; i++) {
      if ((used & (1 << i)) == 0) {
        order[at] = i;
        permute(order, at + 1, used | (1 << i), all);
      }
    }
  }
}
