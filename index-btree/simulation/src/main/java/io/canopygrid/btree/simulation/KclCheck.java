package io.canopygrid.btree.simulation;

import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds kcls that were given to more than one subtree: what a subtree was born as never changes.
 */
final class KclCheck {
  /** By kcl the index and the subtree that it came from. */
  private final Map<Long, String> births = new HashMap<>();

  private final Set<String> problems = new TreeSet<>();

  /** A copy of a shard has these headers of a kcl. */
  void saw(long kcl, VersionChain headers) {
    for (VersionChain v = headers; v != null; v = v.older()) {
      byte[] value = v.value();
      if (value != null) {
        SubtreeHeader header = SubtreeHeader.decode(value);
        String birth = "index " + header.index() + " from " + header.cameFrom();
        String before = births.putIfAbsent(kcl, birth);
        if (before != null && !before.equals(birth)) {
          problems.add("kcl " + kcl + " is used again: " + before + ", then " + birth);
        }
      }
    }
  }

  List<String> problems() {
    return new ArrayList<>(problems);
  }
}
