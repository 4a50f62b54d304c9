package io.canopygrid.server.endpoint.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.Mode;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.transaction.AutoCommit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Single entries and pages of entries, each request a transaction of its own. Thread-safe. */
final class EntryRoutes {
  private static final String ENTRIES = "/api/v1/indexes/{index}/entries";
  private static final String ENTRY = ENTRIES + "/{key}";
  private static final long TIMEOUT_MILLIS = 10_000;
  private static final int LIMIT_USUAL = 100;
  private static final int LIMIT_MAX = 1_000;

  /** A page ends where its keys and values have so many bytes. */
  private static final int PAGE_BYTES_MAX = 1 << 22;

  private final ServedNode node;
  private final AutoCommit transactions;

  EntryRoutes(ServedNode node, AutoCommit transactions) {
    this.node = node;
    this.transactions = transactions;
  }

  List<Route> all() {
    return List.of(
        new Route("GET", ENTRIES, this::scan),
        new Route("GET", ENTRY, this::get),
        new Route("PUT", ENTRY, this::put),
        new Route("DELETE", ENTRY, this::delete));
  }

  private <T extends @Nullable Object> T run(
      Call call, Mode mode, Function<ServedTransaction, T> work) {
    return transactions.run(terms(call, mode), work);
  }

  private static AutoCommit.Terms terms(Call call, Mode mode) {
    return new AutoCommit.Terms(
        mode, "http", TIMEOUT_MILLIS, call.request().client(), 1, call.request().traceParent());
  }

  private UserIndex index(Call call, Right right) {
    return UserIndex.find(node, call.part("index"), right, call.access());
  }

  private ApiResponse get(Call call) {
    call.checkQuery();
    call.checkNoBody();
    UserIndex index = index(call, Right.READ);
    byte[] key = index.key(call.part("key"));
    byte @Nullable [] found = run(call, Mode.READ_ONLY, tx -> tx.on(index.ref()).get(key));
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("key", index.keys().decode(key));
    fields.put("value", found == null ? null : index.values().decode(found));
    return ApiResponse.of(200, fields);
  }

  private ApiResponse put(Call call) throws RefusedException {
    call.checkQuery();
    UserIndex index = index(call, Right.WRITE);
    byte[] key = index.key(call.part("key"));
    JsonNode value = Fields.of("the body", call.body(), "value").any("value");
    byte[] bytes = index.values().encode(value);
    run(
        call,
        Mode.UPDATE,
        tx -> {
          tx.on(index.ref()).put(key, bytes);
          return key;
        });
    return ApiResponse.done();
  }

  private ApiResponse delete(Call call) {
    call.checkQuery();
    call.checkNoBody();
    UserIndex index = index(call, Right.WRITE);
    byte[] key = index.key(call.part("key"));
    run(
        call,
        Mode.UPDATE,
        tx -> {
          tx.on(index.ref()).remove(key);
          return key;
        });
    return ApiResponse.done();
  }

  private ApiResponse scan(Call call) {
    call.checkQuery("from", "to", "prefix", "reverse", "limit", "resume", "explain");
    call.checkNoBody();
    UserIndex index = index(call, Right.READ);
    boolean reverse = call.flag("reverse");
    int limit = call.number("limit", LIMIT_USUAL, 1, LIMIT_MAX);
    KeyRange range = rest(range(call, index), call.parameter("resume"), reverse);
    if (!call.flag("explain")) {
      return ApiResponse.of(
          200, run(call, Mode.READ_ONLY, tx -> page(tx, index, range, reverse, limit)));
    }
    AutoCommit.Result<Map<String, Object>> done =
        transactions.explain(
            terms(call, Mode.READ_ONLY), tx -> page(tx, index, range, reverse, limit));
    Map<String, Object> fields = new LinkedHashMap<>(done.result());
    fields.put("explain", new ExplainedJson(node).whole(done.explained(), true));
    return ApiResponse.of(200, fields);
  }

  /** The range that the parameters say: all keys, those between two, or those with a beginning. */
  static KeyRange range(Call call, UserIndex index) {
    String from = call.parameter("from");
    String to = call.parameter("to");
    String prefix = call.parameter("prefix");
    if (prefix != null) {
      if (from != null || to != null) {
        throw Fields.wrong("give either 'prefix' or 'from' and 'to'");
      }
      return KeyRange.startingWith(index.keys().prefix(prefix));
    }
    return KeyRange.of(
        from == null ? new byte[0] : index.key(from),
        to == null ? null : KeyRange.successor(index.key(to)));
  }

  /** The part of the range that is behind the last key of the page before. */
  private static KeyRange rest(KeyRange range, @Nullable String resume, boolean reverse) {
    if (resume == null) {
      return range;
    }
    byte[] last;
    try {
      last = Base64.getUrlDecoder().decode(resume);
    } catch (IllegalArgumentException e) {
      throw new CanopyException(ErrorCode.INVALID_TOKEN, "'resume' is not of an answer", e);
    }
    if (!range.contains(last)) {
      throw new CanopyException(ErrorCode.INVALID_TOKEN, "'resume' is of another range");
    }
    return reverse ? range.below(last) : range.above(last);
  }

  private static Map<String, Object> page(
      ServedTransaction tx, UserIndex index, KeyRange range, boolean reverse, int limit) {
    List<Map<String, Object>> entries = new ArrayList<>();
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("entries", entries);
    EngineScan scan = tx.on(index.ref()).scan(range, reverse, limit + 1L);
    try {
      byte[] last = {};
      long bytes = 0;
      while (scan.advance()) {
        if (entries.size() == limit || bytes > PAGE_BYTES_MAX) {
          page.put("resume", Base64.getUrlEncoder().withoutPadding().encodeToString(last));
          break;
        }
        last = scan.key();
        bytes += scan.key().length + scan.value().length;
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("key", index.keys().decode(scan.key()));
        entry.put("value", index.values().decode(scan.value()));
        entries.add(entry);
      }
    } finally {
      scan.close();
    }
    return page;
  }
}
