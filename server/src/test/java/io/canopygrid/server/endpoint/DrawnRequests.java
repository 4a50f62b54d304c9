package io.canopygrid.server.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are drawn from the description of the HTTP API: as it has them, and with something
 * wrong in them. The same seed draws the same ones. For one thread.
 */
final class DrawnRequests {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int DEPTH_MAX = 4;
  private static final int LONG_TEXT = 70_000;
  private static final String DAMAGE = "{}[]\",:\\0e";

  /** So many of a hundred have something wrong. */
  private static final int WRONG_PERCENT = 30;

  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "b",
          "10",
          "-1",
          "é\u0000",
          "\uD83D\uDE00",
          "../x",
          "%",
          "null",
          "\"",
          "a b",
          "00ff");

  private final JsonNode description;
  private final SplittableRandom random;
  private final Map<String, List<String>> known;
  private final List<Operation> operations = new ArrayList<>();

  private record Operation(String method, String path, JsonNode described) {}

  /**
   * A request.
   *
   * @param operation the one that it is of, as the description has it
   * @param target its path with its parameters
   * @param body null: it has none
   */
  record Drawn(String operation, String method, String target, @Nullable String body) {}

  /**
   * Draws them.
   *
   * @param known what fits where, by the name of a parameter or field
   * @param left the operation that is left out
   */
  DrawnRequests(JsonNode description, long seed, Map<String, List<String>> known, String left) {
    this.description = description;
    this.random = new SplittableRandom(seed);
    this.known = new HashMap<>(known);
    description
        .get("paths")
        .properties()
        .forEach(path ->
            path.getValue().properties().stream()
                .filter(method -> method.getValue().has("operationId"))
                .filter(method -> !method.getValue().get("operationId").asText().equals(left))
                .map(method ->
                    new Operation(
                        method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()))
                .forEach(operations::add));
  }

  /** All operations that are drawn. */
  List<String> operations() {
    return operations.stream().map(one -> one.method() + " " + one.path()).toList();
  }

  Drawn next() {
    Operation drawn = operations.get(random.nextInt(operations.size()));
    boolean isWrong = random.nextInt(100) < WRONG_PERCENT;
    StringBuilder target = new StringBuilder();
    for (String part : drawn.path().substring(1).split("/", -1)) {
      target.append('/').append(part.startsWith("{") ? encoded(text(name(part), isWrong)) : part);
    }
    String separator = "?";
    for (JsonNode parameter : drawn.described().path("parameters")) {
      if (parameter.get("in").asText().equals("query") && random.nextInt(3) == 0) {
        String name =
            isWrong && random.nextInt(8) == 0 ? "nothing" : parameter.get("name").asText();
        JsonNode value = value(parameter.get("schema"), name, isWrong, 0);
        target.append(separator).append(name).append('=').append(encoded(value.asText()));
        separator = "&";
      }
    }
    JsonNode media = drawn.described().path("requestBody").path("content").path("application/json");
    String body = null;
    if (media.has("schema")) {
      body = value(media.get("schema"), "", isWrong, 0).toString();
      if (isWrong && random.nextInt(4) == 0) {
        body = damaged(body);
      }
    }
    String operation = drawn.method() + " " + drawn.path();
    return new Drawn(operation, drawn.method(), target.toString(), body);
  }

  private static String name(String part) {
    return part.substring(1, part.length() - 1);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String text(String name, boolean isWrong) {
    List<String> fitting = known.get(name);
    if (fitting != null && !(isWrong && random.nextInt(3) == 0)) {
      return fitting.get(random.nextInt(fitting.size()));
    }
    return random.nextInt(2_000) == 0
        ? "x".repeat(random.nextInt(LONG_TEXT))
        : TEXTS.get(random.nextInt(TEXTS.size()));
  }

  private JsonNode value(JsonNode schema, String name, boolean isWrong, int depth) {
    if (depth > DEPTH_MAX || (isWrong && random.nextInt(12) == 0)) {
      return any(depth);
    }
    if (schema.has("$ref")) {
      return value(description.at(schema.get("$ref").asText().substring(1)), name, isWrong, depth);
    }
    if (schema.has("const")) {
      return schema.get("const");
    }
    for (String choice : List.of("enum", "oneOf", "anyOf")) {
      if (schema.has(choice)) {
        JsonNode one = schema.get(choice).get(random.nextInt(schema.get(choice).size()));
        return choice.equals("enum") ? one : value(one, name, isWrong, depth);
      }
    }
    return switch (schema.path("type").asText()) {
      case "object" -> object(schema, isWrong, depth);
      case "array" -> array(schema, name, isWrong, depth);
      case "integer", "number" -> number(schema, isWrong);
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      case "string" -> JSON.textNode(text(name, isWrong));
      default -> known.containsKey(name) ? JSON.textNode(text(name, isWrong)) : any(depth);
    };
  }

  private JsonNode object(JsonNode schema, boolean isWrong, int depth) {
    ObjectNode object = JSON.objectNode();
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(field -> required.add(field.asText()));
    schema
        .path("properties")
        .properties()
        .forEach(field -> {
          boolean isThere = required.contains(field.getKey()) || random.nextBoolean();
          if (isThere && !(isWrong && random.nextInt(8) == 0)) {
            object.set(field.getKey(), value(field.getValue(), field.getKey(), isWrong, depth + 1));
          }
        });
    if (isWrong && random.nextInt(8) == 0) {
      object.set("nothing", any(depth));
    }
    return object;
  }

  private JsonNode array(JsonNode schema, String name, boolean isWrong, int depth) {
    ArrayNode array = JSON.arrayNode();
    for (int i = random.nextInt(4) - (isWrong ? 1 : 0); i >= 0; i--) {
      array.add(value(schema.get("items"), name, isWrong, depth));
    }
    return array;
  }

  private JsonNode number(JsonNode schema, boolean isWrong) {
    if (isWrong && random.nextInt(3) == 0) {
      return random.nextBoolean() ? JSON.numberNode(random.nextLong()) : JSON.numberNode(0.5);
    }
    long least = schema.path("minimum").asLong(-10);
    return JSON.numberNode(random.nextLong(least, schema.path("maximum").asLong(1_000) + 1));
  }

  private JsonNode any(int depth) {
    return switch (random.nextInt(8)) {
      case 0 -> JSON.nullNode();
      case 1 -> JSON.booleanNode(random.nextBoolean());
      case 2 -> JSON.numberNode(random.nextLong());
      case 3 -> JSON.numberNode(random.nextInt(100));
      case 4 -> JSON.numberNode(random.nextDouble() * 1e300);
      case 5 -> depth > DEPTH_MAX ? JSON.arrayNode() : JSON.arrayNode().add(any(depth + 1));
      case 6 -> depth > DEPTH_MAX ? JSON.objectNode() : JSON.objectNode().set("a", any(depth + 1));
      default -> JSON.textNode(text("", true));
    };
  }

  /** Cut, or with a character more. */
  private String damaged(String body) {
    int at = random.nextInt(body.length() + 1);
    return random.nextBoolean()
        ? body.substring(0, at)
        : body.substring(0, at)
            + DAMAGE.charAt(random.nextInt(DAMAGE.length()))
            + body.substring(at);
  }
}
