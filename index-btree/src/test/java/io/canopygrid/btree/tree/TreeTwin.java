package io.canopygrid.btree.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A tree and a TreeMap to which the same is done, and the views taken with what they must hold. */
final class TreeTwin {
  /** A view and a copy of the twin as they were at one step. */
  private record Kept(int step, TreeView<Integer> view, NavigableMap<byte[], Integer> expected) {}

  private final BPlusTree<Integer> tree;
  private final TreeMap<byte[], Integer> twin = new TreeMap<>(Arrays::compareUnsigned);
  private final List<Kept> kept = new ArrayList<>();

  TreeTwin(int arity) {
    this.tree = new BPlusTree<>(arity);
  }

  int size() {
    return twin.size();
  }

  int height() {
    return ((TreeView<Integer>) tree.view()).height;
  }

  void put(byte[] key, int value) {
    same("put", key, tree.put(key, value), twin.put(key, value));
    checkTree();
  }

  void remove(byte[] key) {
    same("remove", key, tree.remove(key), twin.remove(key));
    checkTree();
  }

  void get(byte[] key) {
    Integer expected = twin.get(key);
    same("get", key, tree.get(key), expected);
    same("get from a view", key, tree.view().get(key), expected);
  }

  private static void same(
      String what, byte[] key, @Nullable Integer value, @Nullable Integer expected) {
    if (!Objects.equals(value, expected)) {
      assertThat(value).as("%s %s", what, hex(key)).isEqualTo(expected);
    }
  }

  /** The twin's key at or above this one, or else its first; null if it has none. */
  byte @Nullable [] presentKeyNear(byte[] key) {
    byte[] above = twin.ceilingKey(key);
    return above != null || twin.isEmpty() ? above : twin.firstKey();
  }

  void keepView(int step) {
    TreeMap<byte[], Integer> copy = new TreeMap<>(Arrays::compareUnsigned);
    copy.putAll(twin);
    kept.add(new Kept(step, (TreeView<Integer>) tree.view(), copy));
  }

  /** Forgets the oldest view kept where there are more, after a last look at it. */
  void keepAtMost(int views) {
    while (kept.size() > views) {
      checkView(kept.remove(0));
    }
  }

  void checkKeptViews() {
    kept.forEach(this::checkView);
  }

  void scanUp(byte[] from, int limit) {
    Iterator<Map.Entry<byte[], Integer>> expected = twin.tailMap(from, true).entrySet().iterator();
    sameSteps(tree.view().ascending(from), expected, limit, "up from " + hex(from));
  }

  void scanDown(byte @Nullable [] below, int limit) {
    NavigableMap<byte[], Integer> part = below == null ? twin : twin.headMap(below, false);
    Iterator<Map.Entry<byte[], Integer>> expected = part.descendingMap().entrySet().iterator();
    String what = "down from " + (below == null ? "the end" : hex(below));
    sameSteps(tree.view().descending(below), expected, limit, what);
  }

  private void checkTree() {
    tree.check();
    assertThat(tree.size()).as("size").isEqualTo(twin.size());
  }

  private void checkView(Kept kept) {
    TreeView<Integer> view = kept.view();
    new TreeCheck(tree.arity(), view.height, view.root.epoch).check(view.root, view.size());
    sameContent(view, kept.expected(), "the view of step " + kept.step());
  }

  static void sameContent(
      OrderedView<Integer> view, NavigableMap<byte[], Integer> expected, String what) {
    assertThat(view.size()).as(what).isEqualTo(expected.size());
    int all = Integer.MAX_VALUE;
    sameSteps(view.ascending(new byte[0]), expected.entrySet().iterator(), all, what + ", up");
    Iterator<Map.Entry<byte[], Integer>> down = expected.descendingMap().entrySet().iterator();
    sameSteps(view.descending(null), down, all, what + ", down");
    expected.forEach((key, value) -> same(what, key, view.get(key), value));
  }

  private static void sameSteps(
      OrderedCursor<Integer> cursor,
      Iterator<Map.Entry<byte[], Integer>> expected,
      int limit,
      String what) {
    for (int i = 0; i < limit && expected.hasNext(); i++) {
      Map.Entry<byte[], Integer> entry = expected.next();
      if (!cursor.next()) {
        fail("%s: there is no entry %s", what, i);
      }
      if (!Arrays.equals(cursor.key(), entry.getKey())) {
        assertThat(hex(cursor.key())).as("%s: key %s", what, i).isEqualTo(hex(entry.getKey()));
      }
      same(what, entry.getKey(), cursor.value(), entry.getValue());
    }
    if (!expected.hasNext()) {
      assertThat(cursor.next()).as("%s: is there more", what).isFalse();
      assertThat(cursor.next()).as("%s: is there more, asked again", what).isFalse();
    }
  }

  static String hex(byte[] key) {
    String all = HexFormat.of().formatHex(key);
    return all.length() <= 80 ? all : all.substring(0, 80) + "… of " + key.length + " bytes";
  }
}
