package io.canopygrid.server.endpoint.http;

import io.canopygrid.btree.horizon.HorizonFacts;
import io.canopygrid.btree.horizon.HorizonReader;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.horizon.Holder;
import java.util.ArrayList;
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

  private ApiResponse horizon(Call call) {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.READ, "");
    List<Map<String, Object>> nodes = new ArrayList<>();
    List<HorizonFacts> told = horizon.nodes();
    long oldest = 0;
    for (HorizonFacts facts : told) {
      oldest = Math.max(oldest, facts.horizonMillis());
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("node", facts.node());
      row.put("versions", facts.versions());
      row.put("logEntries", facts.logEntries());
      row.put("horizonMillis", facts.horizonMillis());
      nodes.add(row);
    }
    List<Holder> holders = Holder.all(told, horizon.past());
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("horizonMillis", oldest);
    fields.put("nodes", nodes);
    fields.put("holders", holders.stream().map(HorizonRoute::fields).toList());
    return ApiResponse.of(200, fields);
  }

  private static Map<String, @Nullable Object> fields(Holder holder) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("kind", holder.kind());
    fields.put("name", holder.name());
    fields.put("node", holder.node());
    fields.put("millis", holder.millis());
    fields.put("what", holder.what());
    return fields;
  }
}
