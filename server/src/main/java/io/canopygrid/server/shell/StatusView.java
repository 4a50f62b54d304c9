package io.canopygrid.server.shell;

import io.canopygrid.GridInfo;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.state.DataVerdict;
import io.canopygrid.server.state.GridVerdict;
import io.canopygrid.server.state.StatusFields;
import io.canopygrid.server.state.WorkVerdict;
import io.canopygrid.server.state.ZoneVerdict;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.server.terminal.Printable;
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
public final class StatusView {
  private static final long MEBIBYTE = 1 << 20;

  private final Reply.Status status;
  private final DataVerdict data;
  private final ZoneVerdict zones;
  private final WorkVerdict work;
  private final GridInfo grid;
  private final PrintWriter out;

  private StatusView(
      Reply.Status status,
      DataVerdict data,
      ZoneVerdict zones,
      WorkVerdict work,
      GridInfo grid,
      PrintWriter out) {
    this.work = work;
    this.status = status;
    this.data = data;
    this.zones = zones;
    this.grid = grid;
    this.out = out;
  }

  /** Prints it. */
  public static void print(RemoteCanopy db, PrintWriter out, OutputFormat output) {
    Reply.Status status = db.status();
    StatusView view =
        new StatusView(
            status,
            DataVerdict.of(status, db.disks()),
            ZoneVerdict.of(db.zones()),
            WorkVerdict.of(db.work()),
            db.grid(),
            out);
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
    String shared = zones.text();
    if (shared != null) {
      out.println(shared);
    }
    String busy = work.text();
    if (busy != null) {
      out.println(Printable.line(busy));
    }
    Rows nodes = new Rows(out, OutputFormat.TABLE, columns().toArray(new String[0]));
    for (Reply.NodeStatus node : status.nodes()) {
      boolean answers = !node.version().isEmpty();
      List<@Nullable Object> row = new ArrayList<>();
      row.add(node.node());
      row.add(text(node.name()));
      if (zones.isKnown()) {
        row.add(zones.zone(node.node()));
      }
      row.add(StatusFields.state(node));
      row.add(text(node.version()));
      row.add(answers ? WorkVerdict.inWords(Duration.ofMillis(node.upMillis())) : null);
      row.add(text(node.clientAddress()));
      row.add(text(node.nodeAddress()));
      row.add(answers ? heap(node) : null);
      row.add(data.text(node.node()));
      row.add(node.reachable() ? node.primaryShards() : null);
      row.add(node.reachable() ? node.ownedShards() : null);
      nodes.add(row.toArray());
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

  /** That of zones is there where a node has one. */
  private List<String> columns() {
    List<String> columns = new ArrayList<>(List.of("node", "name"));
    if (zones.isKnown()) {
      columns.add("zone");
    }
    columns.addAll(
        List.of(
            "state",
            "version",
            "up",
            "address",
            "nodes' address",
            "heap",
            "data",
            "primaries",
            "copies"));
    return columns;
  }

  private void json() {
    Map<String, @Nullable Object> fields =
        new LinkedHashMap<>(StatusFields.of(status, data, zones, grid));
    fields.putAll(work.fields());
    Rows rows = new Rows(out, OutputFormat.JSON, fields.keySet().toArray(new String[0]));
    rows.add(fields.values().toArray());
    rows.end();
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
    return time.isNegative() || time.toMinutes() == 0
        ? "just now"
        : WorkVerdict.inWords(time) + " ago";
  }
}
