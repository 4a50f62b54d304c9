package io.canopygrid.server.endpoint.http;

import io.canopygrid.CutOff;
import io.canopygrid.IndexOptions;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.TablePart;
import io.canopygrid.server.codec.CodecNames;
import io.canopygrid.server.codec.SeparatorText;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The indexes, how each is cut and placed, and what changes that. Thread-safe. */
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
        new Route("GET", "/api/v1/placement", this::placement),
        new Route("GET", "/api/v1/jobs", this::jobs));
  }

  private <R extends Reply> R ask(Class<R> type, Request request, Access access) {
    return type.cast(catalog.answer(request, access));
  }

  /** The indexes that a user may read, as others are of no use to them. */
  private List<Reply.IndexOpened> indexes(Access access) {
    return ask(Reply.Indexes.class, new Request.ListIndexes(), access).indexes();
  }

  private ApiResponse list(Call call) {
    call.checkQuery();
    call.checkNoBody();
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    indexes(call.access()).forEach(index -> all.add(fields(index)));
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
            call.access());
    return ApiResponse.of(200, fields(opened));
  }

  private ApiResponse shape(Call call) {
    call.checkQuery();
    call.checkNoBody();
    UserIndex index = UserIndex.find(node, call.part("index"), Right.READ, call.access());
    List<Subtree> subtrees = subtrees(index.ref().number(), call.access());
    CutOff cutOff =
        ask(
                Reply.CutOffIs.class,
                new Request.AskCutOff(index.ref().number(), false, 0),
                call.access())
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
  private List<Subtree> subtrees(int index, Access access) {
    List<Subtree> all = new ArrayList<>();
    byte[] from = {};
    while (true) {
      Reply.Subtrees part =
          ask(Reply.Subtrees.class, new Request.AskSubtrees(index, from, SUBTREES_MAX), access);
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
    for (Reply.IndexOpened index : readable(call.access())) {
      Map<String, List<Subtree>> byNode = new TreeMap<>();
      for (Subtree subtree : subtrees(index.index(), call.access())) {
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

  /** The indexes that the user may read one by one. */
  private List<Reply.IndexOpened> readable(Access access) {
    return indexes(access).stream()
        .filter(index -> ClientRoutes.isAllowed(access, Right.READ, index.name()))
        .toList();
  }

  /** The changes of structure; an event, too. */
  ApiResponse jobs(Call call) {
    call.checkQuery();
    call.checkNoBody();
    List<Map<String, @Nullable Object>> jobs = new ArrayList<>();
    for (Reply.IndexOpened index : readable(call.access())) {
      ValueJson keys = ValueJson.of(index.keyCodec(), true, "the key");
      ask(Reply.Changes.class, new Request.AskChanges(index.index()), call.access())
          .changes()
          .forEach(change -> jobs.add(fields(change, index.name(), keys)));
    }
    return ApiResponse.of(200, Map.of("jobs", jobs));
  }

  private static Map<String, @Nullable Object> fields(
      StructureChange change, String index, ValueJson keys) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("job", lower(change.kind()));
    fields.put("index", index);
    fields.put("from", SeparatorText.of(change.from(), keys.texts()));
    fields.put("reason", lower(change.reason()));
    fields.put("state", lower(change.state()));
    fields.put("by", change.by());
    fields.put("to", change.target().isEmpty() ? null : change.target());
    fields.put("moved", change.moved());
    fields.put("entries", Math.max(change.entries(), change.moved()));
    fields.put("started", Instant.ofEpochMilli(change.startedMillis()).toString());
    fields.put("millis", change.tookMillis());
    fields.put("etaMillis", change.etaMillis());
    return fields;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
