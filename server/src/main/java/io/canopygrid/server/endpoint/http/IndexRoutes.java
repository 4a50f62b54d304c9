package io.canopygrid.server.endpoint.http;

import io.canopygrid.CutOff;
import io.canopygrid.IndexOptions;
import io.canopygrid.Subtree;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.TablePart;
import io.canopygrid.server.codec.CodecNames;
import io.canopygrid.server.codec.SeparatorText;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The indexes, and how each is cut and placed. Thread-safe. */
final class IndexRoutes {
  private static final String INDEXES = "/api/v1/indexes";
  private static final String INDEX = INDEXES + "/{index}";

  private static final int SUBTREES_MAX = 1_000;

  private final ServedNode node;
  private final CatalogRequests catalog;

  IndexRoutes(ServedNode node, CatalogRequests catalog) {
    this.node = node;
    this.catalog = catalog;
  }

  List<Route> all() {
    return List.of(
        new Route("GET", INDEXES, this::list),
        new Route("GET", INDEX, this::shape),
        new Route("PUT", INDEX, this::create),
        new Route("GET", "/api/v1/placement", this::placement));
  }

  private <R extends Reply> R ask(Class<R> type, Request request, Call call) {
    return call.ask(catalog, type, request);
  }

  private ApiResponse list(Call call) {
    call.checkQuery();
    call.checkNoBody();
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    call.indexes(catalog).forEach(index -> all.add(fields(index)));
    return ApiResponse.of(200, Map.of("indexes", all));
  }

  private static Map<String, @Nullable Object> fields(Reply.IndexOpened index) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("index", index.name());
    fields.put("keys", index.keyCodec());
    fields.put("values", index.valueCodec());
    return fields;
  }

  private ApiResponse create(Call call) throws RefusedException {
    call.checkQuery();
    String name = call.part("index");
    Fields body = Fields.of("the body", call.body(), "keys", "values");
    String keys = CodecNames.ofKeys(body.text("keys")).id();
    String values = CodecNames.ofValues(body.text("values")).id();
    TablePart.check(name);
    Reply.IndexOpened opened =
        ask(
            Reply.IndexOpened.class,
            new Request.OpenIndex(
                name, keys, values, true, IndexOptions.DEFAULTS.subtreeEntriesMax()),
            call);
    return ApiResponse.of(200, fields(opened));
  }

  private ApiResponse shape(Call call) {
    call.checkQuery();
    call.checkNoBody();
    UserIndex index = UserIndex.find(node, call.part("index"), Right.READ, call.access());
    List<Subtree> subtrees = subtrees(index.ref().number(), call);
    CutOff cutOff =
        ask(Reply.CutOffIs.class, new Request.AskCutOff(index.ref().number(), false, 0), call)
            .cutOff();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("index", index.ref().name());
    fields.put("keys", index.ref().keyCodec());
    fields.put("values", index.ref().valueCodec());
    fields.put("entries", subtrees.stream().mapToLong(Subtree::entries).sum());
    fields.put("bytes", subtrees.stream().mapToLong(Subtree::bytes).sum());
    Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
    wanted.put("subtrees", cutOff.subtrees());
    wanted.put("wanted", cutOff.wanted());
    wanted.put("subtreesPerNode", cutOff.subtreesPerNode());
    wanted.put("fixed", cutOff.fixed());
    wanted.put("balanced", cutOff.balanced());
    fields.put("cutOff", wanted);
    List<Map<String, @Nullable Object>> parts = new ArrayList<>();
    subtrees.forEach(subtree -> parts.add(fields(subtree, index)));
    fields.put("subtrees", parts);
    return ApiResponse.of(200, fields);
  }

  private static Map<String, @Nullable Object> fields(Subtree subtree, UserIndex index) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("from", SeparatorText.of(subtree.from(), index.keys().texts()));
    fields.put("at", HexFormat.of().formatHex(subtree.from()));
    fields.put("node", subtree.node().isEmpty() ? null : subtree.node());
    fields.put("shard", subtree.shard());
    fields.put("entries", subtree.entries());
    fields.put("bytes", subtree.bytes());
    fields.put("readsPerSecond", rate(subtree.readsPerSecond()));
    fields.put("writesPerSecond", rate(subtree.writesPerSecond()));
    return fields;
  }

  private static double rate(double perSecond) {
    return Math.round(perSecond * 10) / 10.0;
  }

  /** All subtrees of an index, which come in parts. */
  private List<Subtree> subtrees(int index, Call call) {
    List<Subtree> all = new ArrayList<>();
    byte[] from = {};
    while (true) {
      Reply.Subtrees part =
          ask(Reply.Subtrees.class, new Request.AskSubtrees(index, from, SUBTREES_MAX), call);
      all.addAll(part.subtrees());
      if (part.end() || part.subtrees().isEmpty()) {
        return all;
      }
      byte[] last = part.subtrees().get(part.subtrees().size() - 1).from();
      from = KeyRange.successor(last);
    }
  }

  private ApiResponse placement(Call call) {
    call.checkQuery();
    call.checkNoBody();
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Reply.IndexOpened index : call.readable(catalog)) {
      Map<String, List<Subtree>> byNode = new TreeMap<>();
      for (Subtree subtree : subtrees(index.index(), call)) {
        byNode.computeIfAbsent(subtree.node(), any -> new ArrayList<>()).add(subtree);
      }
      byNode.forEach((place, own) -> rows.add(placed(index.name(), place, own)));
    }
    return ApiResponse.of(200, Map.of("placement", rows));
  }

  /** The part of an index that is at a node. */
  private static Map<String, @Nullable Object> placed(
      String index, String place, List<Subtree> own) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("index", index);
    fields.put("node", place.isEmpty() ? null : place);
    fields.put("subtrees", own.size());
    fields.put("entries", own.stream().mapToLong(Subtree::entries).sum());
    fields.put("bytes", own.stream().mapToLong(Subtree::bytes).sum());
    fields.put("readsPerSecond", rate(own.stream().mapToDouble(Subtree::readsPerSecond).sum()));
    fields.put("writesPerSecond", rate(own.stream().mapToDouble(Subtree::writesPerSecond).sum()));
    return fields;
  }
}
