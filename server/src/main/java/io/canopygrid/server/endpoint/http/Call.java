package io.canopygrid.server.endpoint.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request at its route.
 *
 * @param path the parts of the path that the route names
 * @param query the parameters
 */
record Call(ApiRequest request, Map<String, String> path, Map<String, String> query) {
  private static final long NO_NUMBER = Long.MIN_VALUE;

  Access access() {
    return request.access();
  }

  /** The user and address. */
  String client() {
    return request.client();
  }

  /** The answer to a request for what is not data, made as the sender of this one. */
  <R extends Reply> R ask(CatalogRequests catalog, Class<R> type, Request asked) {
    return type.cast(catalog.answer(asked, access(), client()));
  }

  /** The indexes by name, without the system's own. */
  List<Reply.IndexOpened> indexes(CatalogRequests catalog) {
    return ask(catalog, Reply.Indexes.class, new Request.ListIndexes()).indexes();
  }

  /** The indexes that the sender may read. */
  List<Reply.IndexOpened> readable(CatalogRequests catalog) {
    return indexes(catalog).stream()
        .filter(index -> access().allows(Right.READ, index.name()))
        .toList();
  }

  /** A part of the path. */
  String part(String name) {
    String part = path.get(name);
    if (part == null) {
      throw new IllegalArgumentException("the route has no '" + name + "'");
    }
    return part;
  }

  /** Checks that no other parameters are there than these. */
  void checkQuery(String... names) {
    List<String> known = Arrays.asList(names);
    for (String name : query.keySet()) {
      if (!known.contains(name)) {
        String may = known.isEmpty() ? "no parameters" : String.join(", ", known);
        throw Fields.wrong("there is no parameter '" + name + "'; the path has " + may);
      }
    }
  }

  @Nullable String parameter(String name) {
    return query.get(name);
  }

  boolean flag(String name) {
    String text = query.getOrDefault(name, "false");
    if (!text.equals("true") && !text.equals("false")) {
      throw Fields.wrong("'" + name + "' must be true or false");
    }
    return text.equals("true");
  }

  int number(String name, int usual, int least, int most) {
    String text = query.get(name);
    long number = text == null ? usual : whole(text);
    if (number < least || number > most) {
      throw Fields.wrong("'" + name + "' must be from " + least + " to " + most);
    }
    return (int) number;
  }

  private static long whole(String text) {
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : NO_NUMBER;
  }

  /** The value of the body. */
  JsonNode body() throws RefusedException {
    String type = request.contentType().toLowerCase(Locale.ROOT).replace(" ", "");
    if (!type.matches("application/json(;charset=\"?utf-8\"?)?")) {
      throw new RefusedException(415, "the body must be application/json");
    }
    return Json.parse(request.body());
  }

  /** Checks that there is no body. */
  void checkNoBody() {
    if (request.body().length > 0) {
      throw Fields.wrong("the request must have no body");
    }
  }
}
