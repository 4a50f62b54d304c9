package io.canopygrid.server.endpoint.http;

import io.canopygrid.CloneSource;
import io.canopygrid.IndexClone;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Clones of indexes: those there are, new ones, and the end of one. Thread-safe. */
final class CloneRoutes {
  private static final String OF_INDEX = "/api/v1/indexes/{index}";

  /** The time after which a request makes no further step of a flattening. */
  private static final long STEPS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final CatalogRequests catalog;

  CloneRoutes(CatalogRequests catalog) {
    this.catalog = catalog;
  }

  List<Route> all() {
    return List.of(
        new Route("GET", "/api/v1/clones", this::list),
        new Route("POST", OF_INDEX + "/clones", this::make),
        new Route("POST", OF_INDEX + "/flatten", this::flatten));
  }

  private ApiResponse list(Call call) {
    call.checkQuery();
    call.checkNoBody();
    List<IndexClone> clones =
        call.ask(catalog, Reply.Clones.class, new Request.ListClones()).clones();
    return ApiResponse.of(200, Map.of("clones", clones.stream().map(CloneRoutes::fields).toList()));
  }

  private ApiResponse make(Call call) throws RefusedException {
    call.checkQuery();
    Fields body = Fields.of("the body", call.body(), "name", "snapshot", "asOf");
    String snapshot = body.textOrNull("snapshot");
    String asOf = body.textOrNull("asOf");
    if (snapshot != null && asOf != null) {
      throw Fields.wrong("give one of 'snapshot' and 'asOf'");
    }
    CloneSource source = CloneSource.of(call.part("index"));
    if (snapshot != null) {
      source = source.at(SnapshotNames.checked(snapshot));
    } else if (asOf != null) {
      source = source.asOf(Fields.time("asOf", asOf));
    }
    Request asked = new Request.MakeClone(body.text("name"), source.index(), source.snapshot());
    IndexClone made = call.ask(catalog, Reply.Clones.class, asked).clones().get(0);
    return ApiResponse.of(201, fields(made));
  }

  private static Map<String, Object> fields(IndexClone clone) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("clone", clone.name());
    fields.put("parent", clone.parent());
    fields.put("of", clone.of().toString());
    fields.put("depth", clone.depth());
    return fields;
  }

  /** Makes steps for a while, and says whether all is copied. */
  private ApiResponse flatten(Call call) {
    call.checkQuery();
    call.checkNoBody();
    long beganNanos = System.nanoTime();
    long copied = 0;
    Request next = new Request.FlattenClone(call.part("index"), 0);
    Reply.Flattened done;
    do {
      done = call.ask(catalog, Reply.Flattened.class, next);
      copied += done.copied();
      next = new Request.FlattenClone(call.part("index"), done.number());
    } while (!done.isLast() && System.nanoTime() - beganNanos < STEPS_NANOS);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("copied", copied);
    fields.put("done", done.isLast());
    return ApiResponse.of(200, fields);
  }
}
