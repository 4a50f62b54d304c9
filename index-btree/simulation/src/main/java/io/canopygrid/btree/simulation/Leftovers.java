package io.canopygrid.btree.simulation;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks in all copies, at rest: the crown leads to each subtree that is not retired and to no
 * other, and no entry is where no reader can reach it. So a retired subtree has none.
 */
final class Leftovers {
  /** The redo logs of prepared transactions are in kcls from here on, below those of subtrees. */
  private static final long LOGS = 1L << 31;

  private final Map<GmuNode, Map<CompositeKey, byte[]>> copies;
  private final List<String> problems = new ArrayList<>();

  Leftovers(Map<GmuNode, Map<CompositeKey, byte[]>> copies) {
    this.copies = copies;
  }

  List<String> check() {
    Set<Long> crown = new HashSet<>();
    Map<Long, SubtreeHeader> headers = new TreeMap<>();
    for (Map<CompositeKey, byte[]> copy : copies.values()) {
      copy.forEach((key, value) -> {
        if (key.kcl() >= LOGS && key.kcl() < 2 * LOGS) {
          problems.add("left of a redo log: " + key);
        } else if (ReservedKcl.CROWN.has(key)) {
          crown.add(CrownEntry.decode(key.ku(), value).kcl());
        } else if (key.isHeader() && SubtreeHeader.isSubtree(key.kcl())) {
          headers.put(key.kcl(), SubtreeHeader.decode(value));
        }
      });
    }
    headers.forEach((kcl, header) -> {
      if (!crown.contains(kcl) && !header.isRetired()) {
        problems.add("an orphan: no crown leads to subtree " + kcl + ", " + header);
      }
    });
    for (long kcl : crown) {
      SubtreeHeader header = headers.get(kcl);
      if (header == null || header.isRetired()) {
        problems.add("the crown leads to subtree " + kcl + ", which is gone: " + header);
      }
    }
    copies.forEach((node, copy) ->
        copy.keySet().forEach(key -> checkEntry(node, key, headers.get(key.kcl()))));
    return problems;
  }

  private void checkEntry(GmuNode node, CompositeKey key, @Nullable SubtreeHeader header) {
    if (key.isHeader() || !SubtreeHeader.isSubtree(key.kcl())) {
      return;
    }
    if (header == null || !header.covers(EntryKeys.userKey(key))) {
      problems.add("left behind at " + node.self() + ": " + key + " of subtree " + header);
    }
  }
}
