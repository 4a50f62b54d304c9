package io.canopygrid.server.endpoint.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.server.endpoint.access.Right;
import java.util.Collections;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a transaction that comes in one request.
 *
 * @param value the value that is put, or is to be there; null: none
 * @param bytes of the value that is put
 */
record DataOperation(
    Kind kind,
    UserIndex index,
    JsonNode keyJson,
    byte[] key,
    @Nullable JsonNode value,
    byte[] bytes) {
  private static final byte[] NONE = {};

  /** The kinds of operations. */
  enum Kind {
    GET,
    PUT,
    DELETE,
    CHECK;

    static Kind of(String name) {
      return switch (name) {
        case "get" -> GET;
        case "put" -> PUT;
        case "delete" -> DELETE;
        case "check" -> CHECK;
        default -> throw Fields.wrong("'op' is get, put, delete or check");
      };
    }

    /** Whether it writes. */
    boolean isWrite() {
      return this == PUT || this == DELETE;
    }
  }

  /**
   * The operation that an object of a request says.
   *
   * @param indexes finds the index of a name for those who need a right to it
   */
  static DataOperation of(JsonNode object, BiFunction<String, Right, UserIndex> indexes) {
    Fields fields = Fields.of("an operation", object, "op", "index", "key", "value", "absent");
    Kind kind = Kind.of(fields.text("op"));
    boolean isAbsent = fields.has("absent") && fields.flag("absent");
    boolean hasValue = kind == Kind.PUT || (kind == Kind.CHECK && !isAbsent);
    if (fields.has("value") && !hasValue) {
      throw Fields.wrong("'value' is of put, and of a check without 'absent'");
    }
    if (fields.has("absent") && kind != Kind.CHECK) {
      throw Fields.wrong("'absent' is of check");
    }
    Right right = kind.isWrite() ? Right.WRITE : Right.READ;
    UserIndex index = indexes.apply(fields.text("index"), right);
    JsonNode keyJson = fields.any("key");
    byte[] key = index.key(keyJson);
    JsonNode value = hasValue ? fields.any("value") : null;
    byte[] bytes = value == null ? NONE : index.values().encode(value);
    return new DataOperation(kind, index, keyJson, key, value, bytes);
  }

  /**
   * Carries it out in a transaction.
   *
   * @param number its place among the operations, from 0 on
   * @return the fields of its result
   */
  Map<String, @Nullable Object> run(ServedTransaction tx, int number) {
    switch (kind) {
      case GET -> {
        byte[] found = tx.on(index.ref()).get(key);
        return Collections.singletonMap(
            "value", found == null ? null : index.values().decode(found));
      }
      case PUT -> tx.on(index.ref()).put(key, bytes);
      case DELETE -> tx.on(index.ref()).remove(key);
      case CHECK -> check(tx, number);
    }
    return Map.of();
  }

  private void check(ServedTransaction tx, int number) {
    byte[] found = tx.on(index.ref()).get(key);
    boolean holds =
        (value == null || found == null)
            ? value == null && found == null
            : index.values().isSame(found, value);
    if (!holds) {
      String wanted = value == null ? "is not absent" : "does not have that value";
      throw new CanopyException(
          ErrorCode.CHECK_FAILED,
          "the check of operation "
              + number
              + " does not hold: key "
              + keyJson
              + " of index '"
              + index.ref().name()
              + "' "
              + wanted,
          ErrorCode.CHECK_FAILED.commitState(),
          tx.id(),
          null,
          Map.of(
              "operation",
              Integer.toString(number),
              "index",
              index.ref().name(),
              "key",
              Json.text(keyJson)));
    }
  }
}
