package io.canopygrid.server.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.Change;
import io.canopygrid.ChangeSet;
import io.canopygrid.FeedPosition;
import io.canopygrid.server.terminal.Printable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints transactions as a feed tells them. Confined to one thread. */
final class ChangePrinter {
  private static final JsonMapper JSON = new JsonMapper();

  private final PrintWriter out;
  private final WatchFormat format;
  private boolean isFirst = true;

  ChangePrinter(PrintWriter out, WatchFormat format) {
    this.out = out;
    this.format = format;
  }

  /**
   * Prints a transaction.
   *
   * @param position the feed's position after it; null: none is between it and the next one
   */
  void print(ChangeSet<String, String> set, @Nullable FeedPosition position) {
    if (format == WatchFormat.JSON) {
      out.println(Printable.line(json(set, position)));
      return;
    }
    if (!isFirst) {
      out.println();
    }
    isFirst = false;
    set.changes().forEach(change -> out.println(Printable.line(text(change))));
  }

  /**
   * Lets readers have all that was printed.
   *
   * @return false: nobody reads any more
   */
  boolean flush() {
    return !out.checkError();
  }

  private static String text(Change<String, String> change) {
    if (change.before() == null) {
      return "+ " + change.key() + " = " + change.after();
    }
    return change.after() == null
        ? "- " + change.key()
        : "~ " + change.key() + ": " + change.before() + " -> " + change.after();
  }

  private static String json(ChangeSet<String, String> set, @Nullable FeedPosition position) {
    List<Map<String, @Nullable String>> changes = new ArrayList<>();
    for (Change<String, String> change : set.changes()) {
      Map<String, @Nullable String> fields = new LinkedHashMap<>();
      fields.put("key", change.key());
      fields.put("before", change.before());
      fields.put("after", change.after());
      changes.add(fields);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("changes", changes);
    if (position != null) {
      fields.put("position", position.toString());
    }
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
