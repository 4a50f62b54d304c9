package io.canopygrid.study.load;

import io.canopygrid.btree.crown.Crown;
import io.canopygrid.gmu.node.GmuNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The number of subtrees of the index that scans touch. */
public final class SubtreeSpans {
  private static final Comparator<byte[]> BY_BYTES = Arrays::compareUnsigned;

  private SubtreeSpans() {}

  /** The number of the index that was created last. */
  public static int lastIndex(GmuNode node) {
    int[] number = new int[1];
    Crown.forEach(node.top(), entry -> number[0] = Math.max(number[0], entry.index()));
    return number[0];
  }

  /** Over scans of so many entries that begin at each of the records that were loaded, the mean. */
  public static double mean(GmuNode node, Records records, int entries) {
    int number = lastIndex(node);
    List<byte[]> separators = new ArrayList<>();
    Crown.forEach(
        node.top(),
        entry -> {
          if (entry.index() == number) {
            separators.add(entry.separator());
          }
        });
    List<byte[]> keys = List.copyOf(records.entries().keySet());
    long touched = 0;
    for (int from = 0; from < keys.size(); from++) {
      int last = from + entries - 1;
      int lastSubtree = last < keys.size() ? at(separators, keys.get(last)) : separators.size() - 1;
      touched += lastSubtree - at(separators, keys.get(from)) + 1;
    }
    return (double) touched / keys.size();
  }

  private static int at(List<byte[]> separators, byte[] key) {
    int found = Collections.binarySearch(separators, key, BY_BYTES);
    return found >= 0 ? found : -2 - found;
  }
}
