package io.canopygrid.server.shell;

import io.canopygrid.GridInfo;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.wire.client.Reply;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the state of a cluster: a sentence, its nodes, its indexes. In JSON it is one object. */
final class StatusView {
  private static final long MEBIBYTE = 1 << 20;

  private final Reply.Status status;
  private final DataVerdict data;
  private final GridInfo grid;
  private final PrintWriter out;

  private StatusView(Reply.Status status, DataVerdict data, GridInfo grid, PrintWriter out) {
    this.status = status;
    this.data = data;
    this.grid = grid;
    this.out = out;
  }

  static void print(RemoteCanopy db, PrintWriter out, OutputFormat output) {
    Reply.Status status = db.status();
    StatusView view = new StatusView(status, DataVerdict.of(status, db.disks()), db.grid(), out);
    if (output == OutputFormat.JSON) {
      view.json();
    } else {
      view.table();
    }
  }

  private void table() {
    out.println(GridVerdict.of(status).text(data.isOnDisk()));
    String place = data.text();
    if (place != null) {
      out.println(place);
    }
    Rows nodes =
        new Rows(
            out,
            OutputFormat.TABLE,
            "node",
            "name",
            "state",
            "version",
            "up",
            "address",
            "nodes' address",
            "heap",
            "data",
            "primaries",
            "copies");
    for (Reply.NodeStatus node : status.nodes()) {
      boolean answers = !node.version().isEmpty();
      nodes.add(
          node.node(),
          text(node.name()),
          state(node),
          text(node.version()),
          answers ? up(Duration.ofMillis(node.upMillis())) : null,
          text(node.clientAddress()),
          text(node.nodeAddress()),
          answers ? heap(node) : null,
          data.text(node.node()),
          node.reachable() ? node.primaryShards() : null,
          node.reachable() ? node.ownedShards() : null);
    }
    nodes.end();
    Rows indexes = new Rows(out, OutputFormat.TABLE, "index", "entries");
    for (Reply.IndexSize index : status.indexes()) {
      indexes.add(index.name(), (index.complete() ? "" : "at least ") + index.entries());
    }
    indexes.end();
    if (status.waiting() > 0) {
      out.println("nodes that are waiting to be members: " + status.waiting());
    }
    out.println(grid + ", " + age(Duration.between(grid.founded(), Instant.now())));
    out.flush();
  }

  private void json() {
    GridVerdict verdict = GridVerdict.of(status);
    Rows rows =
        new Rows(
            out,
            OutputFormat.JSON,
            "verdict",
            "ready",
            "failuresSurvived",
            "grid",
            "founded",
            "topology",
            "shards",
            "shardsServed",
            "owners",
            "copies",
            "copiesMissing",
            "waiting",
            "data",
            "nodes",
            "indexes");
    List<Map<String, @Nullable Object>> nodes = new ArrayList<>();
    status.nodes().forEach(node -> nodes.add(fields(node)));
    List<Map<String, Object>> indexes = new ArrayList<>();
    for (Reply.IndexSize index : status.indexes()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("index", index.name());
      fields.put("entries", index.entries());
      fields.put("complete", index.complete());
      indexes.add(fields);
    }
    rows.add(
        verdict.text(data.isOnDisk()),
        status.ready(),
        verdict.isMinority() ? 0 : verdict.survived(),
        grid.id().toString(),
        grid.founded().toString(),
        status.topology(),
        status.shards(),
        verdict.isMinority() ? 0 : verdict.served(),
        status.owners(),
        verdict.copies(),
        Math.max(0, verdict.wanted() - verdict.copies()),
        status.waiting(),
        data.place(),
        nodes,
        indexes);
    rows.end();
  }

  private Map<String, @Nullable Object> fields(Reply.NodeStatus node) {
    boolean answers = !node.version().isEmpty();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("node", node.node());
    fields.put("name", text(node.name()));
    fields.put("state", state(node));
    fields.put("version", text(node.version()));
    fields.put("upMillis", answers ? node.upMillis() : null);
    fields.put("address", text(node.clientAddress()));
    fields.put("nodeAddress", text(node.nodeAddress()));
    fields.put("heapUsedBytes", answers ? node.heapUsedBytes() : null);
    fields.put("heapMaxBytes", answers ? node.heapMaxBytes() : null);
    Reply.NodeDisk disk = data.disks().get(node.node());
    fields.put("data", data.place(node.node()));
    fields.put("dataTotalBytes", disk == null || isRoomless(disk) ? null : disk.totalBytes());
    fields.put("dataFreeBytes", disk == null || isRoomless(disk) ? null : disk.freeBytes());
    fields.put("primaries", node.reachable() ? node.primaryShards() : 0);
    fields.put("copies", node.reachable() ? node.ownedShards() : 0);
    return fields;
  }

  /** Whether the room of a node's data is not known, or there is none. */
  private static boolean isRoomless(Reply.NodeDisk disk) {
    return disk.totalBytes() == 0;
  }

  private static String state(Reply.NodeStatus node) {
    if (!node.reachable()) {
      return "unreachable";
    }
    if (node.version().isEmpty()) {
      return "no answer";
    }
    return node.ready() ? "ready" : "not ready";
  }

  private static String heap(Reply.NodeStatus node) {
    return String.format(
        Locale.ROOT,
        "%d of %d MiB",
        node.heapUsedBytes() / MEBIBYTE,
        node.heapMaxBytes() / MEBIBYTE);
  }

  private static @Nullable String text(String text) {
    return text.isEmpty() ? null : text;
  }

  /** The age of a grid by this machine's clock, in words. */
  static String age(Duration time) {
    return time.isNegative() || time.toMinutes() == 0 ? "just now" : up(time) + " ago";
  }

  /** A time in words, in its largest unit. */
  static String up(Duration time) {
    if (time.toMinutes() == 0) {
      return time.toSeconds() + " s";
    }
    if (time.toHours() == 0) {
      return time.toMinutes() + " min";
    }
    return time.toDays() == 0 ? time.toHours() + " h" : time.toDays() + " d";
  }
}
