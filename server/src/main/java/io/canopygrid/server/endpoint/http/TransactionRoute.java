package io.canopygrid.server.endpoint.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.Limits;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.engine.Mode;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.transaction.AutoCommit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Several operations as one transaction, committed or refused whole. Thread-safe. */
final class TransactionRoute {
  private static final int OPERATIONS_MAX = 10_000;
  private static final long TIMEOUT_MILLIS_USUAL = 10_000;
  private static final long TIMEOUT_MILLIS_MAX = 60_000;

  private final ServedNode node;
  private final AutoCommit transactions;

  TransactionRoute(ServedNode node, AutoCommit transactions) {
    this.node = node;
    this.transactions = transactions;
  }

  Route route() {
    return new Route("POST", "/api/v1/transactions", this::run);
  }

  private ApiResponse run(Call call) throws RefusedException {
    call.checkQuery();
    Fields body =
        Fields.of("the body", call.body(), "operations", "label", "timeoutMillis", "explain");
    JsonNode list = body.any("operations");
    if (!list.isArray() || list.isEmpty() || list.size() > OPERATIONS_MAX) {
      throw Fields.wrong("'operations' must be a list of 1 to " + OPERATIONS_MAX);
    }
    String label = body.has("label") ? body.text("label") : "http";
    if (label.length() > Limits.LABEL_MAX) {
      throw Fields.wrong("'label' has at most " + Limits.LABEL_MAX + " characters");
    }
    long millis = body.number("timeoutMillis", TIMEOUT_MILLIS_USUAL, 1, TIMEOUT_MILLIS_MAX);
    List<DataOperation> operations = operations(list, call);
    boolean writes = operations.stream().anyMatch(operation -> operation.kind().isWrite());
    AutoCommit.Terms terms =
        new AutoCommit.Terms(
            writes ? Mode.UPDATE : Mode.READ_ONLY,
            label,
            millis,
            call.request().client(),
            operations.size(),
            call.request().traceParent());
    if (!body.has("explain") || !body.flag("explain")) {
      return ApiResponse.of(
          200, Map.of("results", transactions.run(terms, tx -> results(operations, tx))));
    }
    AutoCommit.Result<List<Map<String, @Nullable Object>>> done =
        transactions.explain(terms, tx -> results(operations, tx));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("results", done.result());
    fields.put("explain", new ExplainedJson(node).whole(done.explained(), true));
    return ApiResponse.of(200, fields);
  }

  private static List<Map<String, @Nullable Object>> results(
      List<DataOperation> operations, ServedTransaction tx) {
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    for (DataOperation operation : operations) {
      results.add(operation.run(tx, results.size()));
    }
    return results;
  }

  /** The operations; each index and right to it is looked up once. */
  private List<DataOperation> operations(JsonNode list, Call call) {
    Map<String, UserIndex> readable = new HashMap<>();
    Map<String, UserIndex> writable = new HashMap<>();
    List<DataOperation> operations = new ArrayList<>();
    for (JsonNode one : list) {
      operations.add(
          DataOperation.of(
              one,
              (name, right) ->
                  (right == Right.WRITE ? writable : readable)
                      .computeIfAbsent(
                          name, any -> UserIndex.find(node, any, right, call.access()))));
    }
    return operations;
  }
}
