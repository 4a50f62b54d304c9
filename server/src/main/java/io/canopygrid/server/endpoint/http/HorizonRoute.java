package io.canopygrid.server.endpoint.http;

import io.canopygrid.btree.feed.IndexFeeds;
import io.canopygrid.btree.horizon.HeldPast;
import io.canopygrid.btree.horizon.HorizonFacts;
import io.canopygrid.btree.horizon.HorizonReader;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.server.endpoint.access.Right;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The old versions that each node keeps, and what holds the horizon back. Thread-safe. */
final class HorizonRoute {
  private final HorizonReader horizon;

  HorizonRoute(ServedNode node) {
    this.horizon = node.horizon();
  }

  Route route() {
    return new Route("GET", "/api/v1/horizon", this::horizon);
  }

  /**
   * One of the reasons for which old versions are kept.
   *
   * @param name of the index, the snapshot or the clone, or the label; null: it has none
   * @param node null: it is the same for all nodes
   * @param millis how old the state is that it keeps, or for how long it has done so
   * @param what in words
   */
  private record Holder(
      String kind, @Nullable String name, @Nullable String node, long millis, String what) {
    Map<String, @Nullable Object> fields() {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      fields.put("kind", kind);
      fields.put("name", name);
      fields.put("node", node);
      fields.put("millis", millis);
      fields.put("what", what);
      return fields;
    }
  }

  private ApiResponse horizon(Call call) {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.READ, "");
    List<Map<String, Object>> nodes = new ArrayList<>();
    List<Holder> holders = new ArrayList<>();
    long oldest = 0;
    for (HorizonFacts facts : horizon.nodes()) {
      oldest = Math.max(oldest, facts.horizonMillis());
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("node", facts.node());
      row.put("versions", facts.versions());
      row.put("logEntries", facts.logEntries());
      row.put("horizonMillis", facts.horizonMillis());
      nodes.add(row);
      addHolders(facts, holders);
    }
    horizon.past().forEach(past -> holders.add(holder(past)));
    holders.sort(Comparator.comparingLong(Holder::millis).reversed());
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("horizonMillis", oldest);
    fields.put("nodes", nodes);
    fields.put("holders", holders.stream().map(Holder::fields).toList());
    return ApiResponse.of(200, fields);
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
          new Holder("retention", null, null, millis, "states of the past (cluster.retention)");
      case CLONE -> new Holder("clone", name, null, millis, "clone '" + name + "' of an index");
      case SNAPSHOT ->
          SnapshotNames.isOfBackup(name)
              ? new Holder(
                  "backup", name, null, millis, "snapshot '" + name + "' of a backup under way")
              : new Holder("snapshot", name, null, millis, "named snapshot '" + name + "'");
    };
  }
}
