package io.canopygrid.server.endpoint.http;

import io.canopygrid.UpgradeState;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.access.Right;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The state of a rolling upgrade, and its end: for administrators. Thread-safe. */
final class UpgradeRoutes {
  private static final String PATH = "/api/v1/upgrade";

  private static final AuditLog.Change RAISES =
      new AuditLog.Change("upgrade.finalize", "finalizes the upgrade");

  private final ServedNode node;
  private final AuditLog audit;

  UpgradeRoutes(ServedNode node, AuditLog audit) {
    this.node = node;
    this.audit = audit;
  }

  List<Route> all() {
    return List.of(
        new Route("GET", PATH, call -> answer(call, node.upgrade()::state)),
        new Route("POST", PATH, this::raise));
  }

  private ApiResponse raise(Call call) {
    return audit.change(
        call.client(), RAISES, () -> answer(call, node.upgrade()::raise), answer -> true);
  }

  private static ApiResponse answer(Call call, Supplier<UpgradeState> asked) {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.ADMIN, "");
    return ApiResponse.of(200, fields(asked.get()));
  }

  private static Map<String, Object> fields(UpgradeState state) {
    List<Map<String, Object>> nodes = new ArrayList<>();
    for (UpgradeState.Node each : state.nodes()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("node", each.id());
      fields.put("name", each.name());
      fields.put("release", each.release());
      fields.put("lowest", each.lowest());
      fields.put("highest", each.highest());
      fields.put("member", each.isMember());
      nodes.add(fields);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("level", state.level());
    fields.put("joined", state.joined());
    fields.put("final", state.isFinal());
    fields.put("obstacle", state.obstacle().orElse(""));
    fields.put("nodes", nodes);
    return fields;
  }
}
