package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.MemberLog.Known;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * The names and addresses of members, which a node keeps on its disk: after all nodes have died it
 * can say which ones are missing. A line of the text has a member's id, address and name.
 * Thread-safe.
 */
final class MemberNames {
  private final DiskNotes notes;
  private final Map<String, Known> before;

  /** The text to be kept; an older one is not worth writing. */
  private volatile String latest = "";

  /** The names that a disk has kept. */
  MemberNames(DiskNotes notes) {
    this.notes = notes;
    this.before = parsed(notes.members());
  }

  private static Map<String, Known> parsed(String text) {
    Map<String, Known> names = new HashMap<>();
    text.lines()
        .forEach(line -> {
          String[] parts = line.split(" ", 3);
          if (parts.length == 3) {
            names.put(parts[0], new Known(parts[2], parts[1], ""));
          }
        });
    return names;
  }

  /** A member that was there when the node ran last, in words; its id where nothing is known. */
  String of(NodeId member) {
    Known known = before.get(member.toString());
    return known == null
        ? member.toString()
        : known.name() + " at " + known.address() + " (" + member + ")";
  }

  /** The name and address that a member had when the node ran last; null: they are not known. */
  @Nullable Known last(NodeId member) {
    return before.get(member.toString());
  }

  /** These are the members now. Does not block. */
  void are(Map<NodeId, Known> members) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(members)
        .forEach((id, known) ->
            text.append(id)
                .append(' ')
                .append(known.address())
                .append(' ')
                .append(known.name())
                .append('\n'));
    latest = text.toString();
    ForkJoinPool.commonPool().execute(this::write);
  }

  private synchronized void write() {
    notes.keepMembers(latest);
  }
}
