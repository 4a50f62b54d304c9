package io.canopygrid.server.endpoint.http;

import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.server.state.HotVerdict;
import io.canopygrid.wire.client.HotEntry;
import io.canopygrid.wire.client.HotNode;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The entries that are read most, and where copies of them are. Thread-safe. */
final class HotRoute {
  private final ServedNode node;
  private final CatalogRequests catalog;

  HotRoute(ServedNode node, CatalogRequests catalog) {
    this.node = node;
    this.catalog = catalog;
  }

  Route route() {
    return new Route("GET", "/api/v1/hot-entries", this::hot);
  }

  private ApiResponse hot(Call call) {
    call.checkQuery("index");
    call.checkNoBody();
    String name = call.parameter("index");
    int number =
        name == null ? 0 : UserIndex.find(node, name, Right.READ, call.access()).ref().number();
    Reply.HotEntries told =
        call.ask(catalog, Reply.HotEntries.class, new Request.AskHotEntries(number));
    HotVerdict verdict = HotVerdict.of(told);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("mode", verdict.mode());
    fields.put("what", verdict.text());
    fields.put("entries", entries(call, told.entries()));
    fields.put("hidden", told.hidden());
    fields.put("nodes", told.nodes().stream().map(HotRoute::node).toList());
    return ApiResponse.of(200, fields);
  }

  private List<Map<String, Object>> entries(Call call, List<HotEntry> entries) {
    Map<Integer, Reply.IndexOpened> indexes = new HashMap<>();
    call.readable(catalog).forEach(index -> indexes.put(index.index(), index));
    List<Map<String, Object>> rows = new ArrayList<>();
    for (HotEntry entry : entries) {
      Reply.IndexOpened index = indexes.get(entry.index());
      if (index != null) {
        rows.add(entry(entry, index));
      }
    }
    return rows;
  }

  private static Map<String, Object> entry(HotEntry entry, Reply.IndexOpened index) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("index", index.name());
    fields.put("key", ValueJson.of(index.keyCodec(), true, "the key").decode(entry.key()));
    fields.put("node", entry.node());
    fields.put("readsPerSecond", rounded(entry.readsPerSecond()));
    fields.put("copyReadsPerSecond", rounded(entry.copyReadsPerSecond()));
    fields.put("copies", entry.copies());
    return fields;
  }

  private static Map<String, Object> node(HotNode node) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("node", node.node());
    fields.put("mode", node.mode().name().toLowerCase(Locale.ROOT));
    fields.put("keys", node.keys());
    fields.put("copies", node.copies());
    fields.put("reads", node.reads());
    fields.put("pushes", node.pushes());
    return fields;
  }

  private static double rounded(double perSecond) {
    return Math.round(perSecond * 100) / 100.0;
  }
}
