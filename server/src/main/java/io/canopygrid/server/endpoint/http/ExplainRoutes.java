package io.canopygrid.server.endpoint.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.explain.ExplainedTransactions;
import io.canopygrid.btree.explain.NodeExplained;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.explain.Explained;
import io.canopygrid.server.endpoint.access.Right;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The transactions of clients and applications at all nodes whose steps were recorded. Each server
 * tells of its clients' in JSON: the question is the id of one, or empty for all without their
 * steps. Thread-safe.
 */
final class ExplainRoutes {
  private static final byte[] UNKNOWN = new byte[0];

  private final ServedNode node;
  private final ExplainedTransactions explained;
  private final ExplainedJson json;

  ExplainRoutes(ServedNode node, ExplainedTransactions explained) {
    this.node = node;
    this.explained = explained;
    this.json = new ExplainedJson(node);
    node.talk()
        .explainsBy(question -> {
          String id = new String(question, UTF_8);
          return id.isEmpty()
              ? Json.bytes(Map.of("transactions", own()))
              : own(id).map(Json::bytes).orElse(UNKNOWN);
        });
  }

  List<Route> all() {
    return List.of(
        new Route("GET", "/api/v1/transactions/explained", this::list),
        new Route("GET", "/api/v1/transactions/explained/{transaction}", this::one));
  }

  private ExplainedJson json(NodeExplained one) {
    return new ExplainedJson(node, one.node());
  }

  private List<Map<String, Object>> own() {
    return explained.all().stream().map(json::summary).toList();
  }

  private Optional<Map<String, Object>> own(String id) {
    return explained.all().stream()
        .filter(one -> one.transaction().equals(id))
        .findFirst()
        .map((Explained one) -> json.whole(one, false));
  }

  private ApiResponse list(Call call) {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.READ, "");
    List<Object> rows = new ArrayList<>(own());
    for (byte[] answer : node.talk().explainedElsewhere(new byte[0])) {
      if (answer.length > 0) {
        parsed(answer).path("transactions").forEach(rows::add);
      }
    }
    node.talk().ofApplications().all().forEach(one -> rows.add(json(one).summary(one.explained())));
    return ApiResponse.of(200, Map.of("transactions", rows));
  }

  private ApiResponse one(Call call) throws RefusedException {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.READ, "");
    String id = call.part("transaction");
    List<byte[]> answers = own(id).map(here -> List.of(Json.bytes(here))).orElse(List.of());
    if (answers.isEmpty()) {
      answers = node.talk().explainedElsewhere(id.getBytes(UTF_8));
    }
    List<byte[]> told = new ArrayList<>(answers);
    if (told.stream().allMatch(answer -> answer.length == 0)) {
      node.talk()
          .ofApplications()
          .find(id)
          .ifPresent(one -> told.add(Json.bytes(json(one).whole(one.explained(), false))));
    }
    for (byte[] answer : told) {
      if (answer.length > 0) {
        JsonNode found = parsed(answer);
        found.path("indexes").forEach(index -> call.access().check(Right.READ, index.asText()));
        checkIndexes(call, found.path("steps"));
        checkIndexes(call, found.path("attempts"));
        return ApiResponse.of(200, found);
      }
    }
    throw new RefusedException(
        404, "no node that answers has the steps of this transaction, or has them any more");
  }

  /** A user of some indexes is told nothing of the others. */
  private static void checkIndexes(Call call, JsonNode rows) {
    for (JsonNode row : rows) {
      if (row.has("index")) {
        call.access().check(Right.READ, row.get("index").asText());
      }
    }
  }

  private static JsonNode parsed(byte[] answer) {
    try {
      return Json.parse(new String(answer, UTF_8));
    } catch (JsonProcessingException e) {
      throw new CanopyException(ErrorCode.PROTOCOL_ERROR, "another node did not send JSON", e);
    }
  }
}
