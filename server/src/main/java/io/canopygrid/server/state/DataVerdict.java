package io.canopygrid.server.state;

import io.canopygrid.Durability;
import io.canopygrid.wire.client.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The places of a grid's data, in words.
 *
 * @param disks by node; a member that has not told is not there
 * @param members of the topology installed last
 */
public record DataVerdict(Map<String, Reply.NodeDisk> disks, int members) {
  private static final double GIBIBYTE = 1 << 30;

  /**
   * The places as a server tells them.
   *
   * @param told empty: the server is of an older release
   */
  public static DataVerdict of(Reply.Status status, Optional<Reply.Disks> told) {
    Map<String, Reply.NodeDisk> disks = new HashMap<>();
    List<String> members = status.nodes().stream().map(Reply.NodeStatus::node).toList();
    told.ifPresent(all ->
        all.nodes().stream()
            .filter(disk -> members.contains(disk.node()))
            .forEach(disk -> disks.put(disk.node(), disk)));
    return new DataVerdict(Map.copyOf(disks), members.size());
  }

  /** The place of the data of all nodes, as a word; null: not known, or not the same. */
  @Nullable String place() {
    List<String> places = disks.values().stream().map(DataVerdict::place).distinct().toList();
    return places.size() == 1 ? places.get(0) : null;
  }

  /** Whether all nodes that have told keep their data on disk. */
  public boolean isOnDisk() {
    return !disks.isEmpty() && disks.values().stream().allMatch(disk -> disk.durability() != null);
  }

  private static String place(Reply.NodeDisk disk) {
    Durability durability = disk.durability();
    return durability == null ? "memory" : durability.name().toLowerCase(Locale.ROOT);
  }

  /** The same for one node; null: it is not known. */
  @Nullable String place(String node) {
    Reply.NodeDisk disk = disks.get(node);
    return disk == null ? null : place(disk);
  }

  /** One sentence on the grid; null: nothing is known. */
  public @Nullable String text() {
    String place = place();
    if (disks.isEmpty()) {
      return null;
    }
    if (place == null) {
      return "data: not all nodes keep it in the same place";
    }
    boolean isInMemory = place.equals("memory");
    String where = isInMemory ? "in memory" : "on disk, " + place + ",";
    String on =
        disks.size() == members
            ? " on all nodes"
            : String.format(
                Locale.ROOT, " on %d of %d nodes, the others have not told", disks.size(), members);
    return "data: " + where + on + (isInMemory ? "; all is gone when all nodes stop" : "");
  }

  /** The place of a node's data and the room there, in words; null: it is not known. */
  public @Nullable String text(String node) {
    Reply.NodeDisk disk = disks.get(node);
    if (disk == null) {
      return null;
    }
    if (disk.durability() == null || disk.totalBytes() == 0) {
      return place(disk);
    }
    return String.format(
        Locale.ROOT,
        "%s, %.1f of %.1f GiB free",
        place(disk),
        disk.freeBytes() / GIBIBYTE,
        disk.totalBytes() / GIBIBYTE);
  }
}
