package io.canopygrid.server.endpoint.http;

import io.canopygrid.btree.serve.ClientFacts;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Counts of clients' transactions, the snapshots that are kept for them, and users' rights. */
final class ClientRoutes {
  private static final double NANOS_PER_MILLI = 1e6;

  private final ServedNode node;
  private final CatalogRequests catalog;

  ClientRoutes(ServedNode node, CatalogRequests catalog) {
    this.node = node;
    this.catalog = catalog;
  }

  List<Route> all() {
    return List.of(
        new Route("GET", "/api/v1/transactions", this::counts),
        new Route("GET", "/api/v1/snapshots", this::snapshots),
        new Route("GET", "/api/v1/rights", this::rights));
  }

  /** Counts of the transactions of clients at all nodes; an event, too. */
  ApiResponse counts(Call call) {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.READ, "");
    List<Map<String, Object>> nodes = new ArrayList<>();
    node.clients().forEach(facts -> nodes.add(fields(facts)));
    return ApiResponse.of(200, Map.of("nodes", nodes));
  }

  private static Map<String, Object> fields(ClientFacts facts) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("node", facts.id());
    fields.put("oldestMillis", facts.oldestMillis());
    fields.putAll(fields(facts.total()));
    List<long[]> latency = new ArrayList<>();
    facts.latency().forEach((nanos, count) -> latency.add(new long[] {nanos, count}));
    fields.put("latency", latency);
    List<Map<String, Object>> labels = new ArrayList<>();
    facts
        .byLabel()
        .forEach((label, counts) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("label", label);
          row.putAll(fields(counts));
          labels.add(row);
        });
    fields.put("labels", labels);
    return fields;
  }

  private static Map<String, Object> fields(ClientFacts.Counts counts) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("commits", counts.commits());
    fields.put("attempts", counts.attempts());
    fields.put("aborts", byCode(counts.aborts()));
    fields.put("remoteRequests", counts.remoteRequests());
    fields.put("p50Millis", counts.p50Nanos() / NANOS_PER_MILLI);
    fields.put("p99Millis", counts.p99Nanos() / NANOS_PER_MILLI);
    return fields;
  }

  private static Map<String, Long> byCode(SortedMap<Integer, Long> aborts) {
    Map<String, Long> byCode = new LinkedHashMap<>();
    aborts.forEach((code, count) -> byCode.put("CNPY-" + code, count));
    return byCode;
  }

  /** The named snapshots, each of which keeps all that was overwritten after it. */
  private ApiResponse snapshots(Call call) {
    call.checkQuery();
    call.checkNoBody();
    Reply.Snapshots told = call.ask(catalog, Reply.Snapshots.class, new Request.ListSnapshots());
    List<Map<String, String>> rows = new ArrayList<>();
    told.snapshots()
        .forEach(one -> {
          Map<String, String> row = new LinkedHashMap<>();
          row.put("snapshot", one.name());
          row.put("taken", one.taken().toString());
          rows.add(row);
        });
    return ApiResponse.of(200, Map.of("snapshots", rows));
  }

  /** The rights of the user, to an index or to the cluster. */
  private ApiResponse rights(Call call) {
    call.checkQuery("index");
    call.checkNoBody();
    String named = call.parameter("index");
    String index = named == null ? "" : named;
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("index", named);
    fields.put("read", call.access().allows(Right.READ, index));
    boolean isWritable = named == null || TableNames.tableOf(index) == null;
    fields.put("write", isWritable && call.access().allows(Right.WRITE, index));
    fields.put("admin", call.access().allows(Right.ADMIN, ""));
    return ApiResponse.of(200, fields);
  }
}
