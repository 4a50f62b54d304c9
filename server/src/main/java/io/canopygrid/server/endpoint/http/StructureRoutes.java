package io.canopygrid.server.endpoint.http;

import io.canopygrid.StructureChange;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of how indexes are cut and placed: those there were, and new ones. Thread-safe. */
final class StructureRoutes {
  private static final String KINDS = "'change' must be split, merge or move";

  private final ServedNode node;
  private final CatalogRequests catalog;

  StructureRoutes(ServedNode node, CatalogRequests catalog) {
    this.node = node;
    this.catalog = catalog;
  }

  Route route() {
    return new Route("POST", "/api/v1/indexes/{index}/changes", this::change);
  }

  /** The changes of structure under way, and the last ones, of indexes that the sender may read. */
  List<Map<String, @Nullable Object>> changes(Call call) {
    List<Map<String, @Nullable Object>> jobs = new ArrayList<>();
    for (Reply.IndexOpened index : call.readable(catalog)) {
      ValueJson keys = ValueJson.of(index.keyCodec(), true, "the key");
      call.ask(catalog, Reply.Changes.class, new Request.AskChanges(index.index()))
          .changes()
          .forEach(change -> jobs.add(JobJson.of(change, index.name(), keys)));
    }
    return jobs;
  }

  /** Makes a change, and waits for its end. */
  private ApiResponse change(Call call) throws RefusedException {
    call.checkQuery();
    UserIndex index = UserIndex.find(node, call.part("index"), Right.READ, call.access());
    Fields body = Fields.of("the body", call.body(), "change", "key", "at", "node");
    StructureChange.Kind kind = kind(body.text("change"));
    boolean isMove = kind == StructureChange.Kind.MOVE;
    if (body.has("node") != isMove) {
      throw Fields.wrong("'node' is where a move goes to, and of no other change");
    }
    String to = isMove ? body.text("node") : "";
    Request.Reshape asked = new Request.Reshape(index.ref().number(), kind, key(body, index), to);
    StructureChange made = call.ask(catalog, Reply.Changes.class, asked).changes().get(0);
    return ApiResponse.of(200, JobJson.of(made, index.ref().name(), index.keys()));
  }

  private static StructureChange.Kind kind(String name) {
    return switch (name) {
      case "split" -> StructureChange.Kind.SPLIT;
      case "merge" -> StructureChange.Kind.MERGE;
      case "move" -> StructureChange.Kind.MOVE;
      default -> throw Fields.wrong(KINDS);
    };
  }

  /** Either a key of the index, or the bytes at which a subtree begins. */
  private static byte[] key(Fields body, UserIndex index) {
    if (body.has("key") == body.has("at")) {
      throw Fields.wrong("the body must have one of 'key' and 'at'");
    }
    if (body.has("key")) {
      return index.key(body.any("key"));
    }
    return UserIndex.bytes("at", body.text("at"));
  }
}
