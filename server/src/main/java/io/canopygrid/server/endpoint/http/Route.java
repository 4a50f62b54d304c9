package io.canopygrid.server.endpoint.http;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A method of a path, and what it does.
 *
 * @param template the path, with names in braces for the parts that differ
 */
record Route(String method, String template, Handler handler) {
  /** Answers the requests of a route; may block. */
  interface Handler {
    ApiResponse answer(Call call) throws RefusedException;
  }

  /** The named parts of a path as they were sent; null: it is a path of another route. */
  @Nullable Map<String, String> match(String path) {
    String[] wanted = template.split("/", -1);
    String[] given = path.split("/", -1);
    if (wanted.length != given.length) {
      return null;
    }
    Map<String, String> parts = new TreeMap<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{")) {
        parts.put(wanted[i].substring(1, wanted[i].length() - 1), given[i]);
      } else if (!wanted[i].equals(given[i])) {
        return null;
      }
    }
    return parts;
  }
}
