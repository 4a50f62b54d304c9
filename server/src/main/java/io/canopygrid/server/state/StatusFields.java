package io.canopygrid.server.state;

import io.canopygrid.GridInfo;
import io.canopygrid.wire.client.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of a grid as the fields of a JSON object; null where something is not known. */
public final class StatusFields {
  private StatusFields() {}

  /** The fields, in the order in which people read them. */
  public static Map<String, @Nullable Object> of(
      Reply.Status status, DataVerdict data, ZoneVerdict zones, GridInfo grid) {
    GridVerdict verdict = GridVerdict.of(status);
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("verdict", verdict.text(data.isOnDisk()));
    fields.put("ready", status.ready());
    fields.put("failuresSurvived", verdict.isMinority() ? 0 : verdict.survived());
    fields.put("grid", grid.id().toString());
    fields.put("founded", grid.founded().toString());
    fields.put("topology", status.topology());
    fields.put("shards", status.shards());
    fields.put("shardsServed", verdict.isMinority() ? 0 : verdict.served());
    fields.put("owners", status.owners());
    fields.put("copies", verdict.copies());
    fields.put("copiesMissing", Math.max(0, verdict.wanted() - verdict.copies()));
    fields.put("waiting", status.waiting());
    fields.put("data", data.place());
    fields.put("zoneProblem", zones.problem());
    List<Map<String, @Nullable Object>> nodes = new ArrayList<>();
    status.nodes().forEach(node -> nodes.add(node(node, data, zones)));
    fields.put("nodes", nodes);
    List<Map<String, @Nullable Object>> indexes = new ArrayList<>();
    status.indexes().forEach(index -> indexes.add(index(index)));
    fields.put("indexes", indexes);
    return fields;
  }

  private static Map<String, @Nullable Object> index(Reply.IndexSize index) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("index", index.name());
    fields.put("entries", index.entries());
    fields.put("complete", index.complete());
    return fields;
  }

  private static Map<String, @Nullable Object> node(
      Reply.NodeStatus node, DataVerdict data, ZoneVerdict zones) {
    boolean answers = !node.version().isEmpty();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("node", node.node());
    fields.put("name", text(node.name()));
    fields.put("state", state(node));
    fields.put("version", text(node.version()));
    fields.put("upMillis", answers ? node.upMillis() : null);
    fields.put("address", text(node.clientAddress()));
    fields.put("nodeAddress", text(node.nodeAddress()));
    fields.put("zone", zones.zone(node.node()));
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

  /** The state of a member in words. */
  public static String state(Reply.NodeStatus node) {
    if (!node.reachable()) {
      return "unreachable";
    }
    if (node.version().isEmpty()) {
      return "no answer";
    }
    return node.ready() ? "ready" : "not ready";
  }

  private static @Nullable String text(String text) {
    return text.isEmpty() ? null : text;
  }
}
