package io.canopygrid.server.endpoint.horizon;

import io.canopygrid.btree.feed.IndexFeeds;
import io.canopygrid.btree.horizon.HeldPast;
import io.canopygrid.btree.horizon.HorizonFacts;
import io.canopygrid.names.SnapshotNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One of the reasons for which old versions are kept.
 *
 * @param name of the index, the snapshot or the clone, or the label; null: it has none
 * @param node null: it is the same for all nodes
 * @param millis how old the state is that it keeps, or for how long it has done so
 * @param what in words
 */
public record Holder(
    String kind, @Nullable String name, @Nullable String node, long millis, String what) {
  private static final String RETENTION = "retention";

  /** A state that is not as old costs little. */
  private static final long NOTABLE_MILLIS_MIN = TimeUnit.MINUTES.toMillis(1);

  /** All reasons, the oldest first. */
  public static List<Holder> all(List<HorizonFacts> nodes, List<HeldPast> past) {
    List<Holder> holders = new ArrayList<>();
    nodes.forEach(facts -> addHolders(facts, holders));
    past.forEach(each -> holders.add(holder(each)));
    holders.sort(Comparator.comparingLong(Holder::millis).reversed());
    return holders;
  }

  /**
   * The oldest reason that is worth a word; null: there is none. The configured retention is left
   * out, as it is meant.
   *
   * @param holders the oldest first
   */
  public static @Nullable Holder notable(List<Holder> holders) {
    return holders.stream()
        .filter(holder -> !holder.kind.equals(RETENTION) && holder.millis >= NOTABLE_MILLIS_MIN)
        .findFirst()
        .orElse(null);
  }

  private static void addHolders(HorizonFacts facts, List<Holder> holders) {
    for (HorizonFacts.Open open : facts.open()) {
      if (open.millis() > 0) {
        holders.add(holder(open.label(), facts.node(), open.millis()));
      }
    }
    if (facts.undoneMillis() > 0) {
      String what = facts.undoneCommits() + " commits that are not at all owners, or not decided";
      holders.add(new Holder("commits", null, facts.node(), facts.undoneMillis(), what));
    }
    if (facts.unforcedMillis() > 0) {
      String what = "commits that the node's disk has not forced";
      holders.add(new Holder("disk", null, facts.node(), facts.unforcedMillis(), what));
    }
  }

  private static Holder holder(String label, String node, long millis) {
    if (label.startsWith(IndexFeeds.LABEL)) {
      String index = label.substring(IndexFeeds.LABEL.length());
      String what = "a change feed of index '" + index + "'";
      return new Holder("feed", index, node, millis, what);
    }
    String what =
        label.isEmpty() ? "a transaction without a label" : "a transaction '" + label + "'";
    return new Holder("transaction", label.isEmpty() ? null : label, node, millis, what);
  }

  private static Holder holder(HeldPast past) {
    String name = past.name();
    long millis = past.ageMillis();
    return switch (past.kind()) {
      case RETENTION ->
          new Holder(RETENTION, null, null, millis, "states of the past (cluster.retention)");
      case CLONE -> new Holder("clone", name, null, millis, "clone '" + name + "' of an index");
      case SNAPSHOT ->
          SnapshotNames.isOfBackup(name)
              ? new Holder(
                  "backup", name, null, millis, "snapshot '" + name + "' of a backup under way")
              : new Holder("snapshot", name, null, millis, "named snapshot '" + name + "'");
    };
  }
}
