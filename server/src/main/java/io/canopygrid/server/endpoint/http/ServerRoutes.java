package io.canopygrid.server.endpoint.http;

import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.config.Configuration;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.server.endpoint.metrics.EndpointMetrics;
import io.canopygrid.server.facts.JvmFacts;
import io.canopygrid.server.facts.RecentLines;
import io.canopygrid.server.release.Release;
import io.canopygrid.server.state.DataVerdict;
import io.canopygrid.server.state.StatusFields;
import io.canopygrid.server.state.ZoneVerdict;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The state of the cluster, and the figures and settings of this server. Thread-safe. */
final class ServerRoutes {
  private final ServedNode node;
  private final CatalogRequests catalog;
  private final EndpointMetrics metrics;
  private final boolean metricsShown;
  private final List<Configuration.Effective> settings;

  ServerRoutes(
      ServedNode node,
      CatalogRequests catalog,
      EndpointMetrics metrics,
      boolean metricsShown,
      List<Configuration.Effective> settings) {
    this.node = node;
    this.catalog = catalog;
    this.metrics = metrics;
    this.metricsShown = metricsShown;
    this.settings = List.copyOf(settings);
  }

  List<Route> all() {
    return List.of(
        new Route("GET", "/api/v1/cluster", this::cluster),
        new Route("GET", "/api/v1/metrics", this::figures),
        new Route("GET", "/api/v1/config", this::config),
        new Route("GET", "/api/v1/diagnostics", ServerRoutes::diagnostics));
  }

  /** The state of the cluster; an event, too. */
  ApiResponse cluster(Call call) {
    call.checkQuery();
    call.checkNoBody();
    Reply.Status status = call.ask(catalog, Reply.Status.class, new Request.AskStatus());
    Reply.Disks disks = call.ask(catalog, Reply.Disks.class, new Request.AskDisks());
    Reply.Zones zones = call.ask(catalog, Reply.Zones.class, new Request.AskZones());
    return ApiResponse.of(
        200,
        StatusFields.of(
            status,
            DataVerdict.of(status, Optional.of(disks)),
            ZoneVerdict.of(Optional.of(zones)),
            node.grid()));
  }

  private ApiResponse figures(Call call) throws RefusedException {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.READ, "");
    if (!metricsShown) {
      throw new RefusedException(404, "metrics are off (metrics.enabled)");
    }
    return ApiResponse.of(200, Map.of("metrics", metrics.figures()));
  }

  /** The settings, which also say where files are: for administrators. */
  private ApiResponse config(Call call) {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.ADMIN, "");
    Map<String, Object> all = new LinkedHashMap<>();
    for (Configuration.Effective row : settings) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("value", row.value());
      fields.put("from", row.origin());
      all.put(row.setting(), fields);
    }
    return ApiResponse.of(200, Map.of("settings", all));
  }

  /** The JVM, its threads and the last lines of its log: for administrators. */
  private static ApiResponse diagnostics(Call call) {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.ADMIN, "");
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", Release.version());
    fields.put("jvm", JvmFacts.all());
    fields.put("threads", JvmFacts.threads());
    fields.put("log", RecentLines.lines());
    return ApiResponse.of(200, fields);
  }
}
