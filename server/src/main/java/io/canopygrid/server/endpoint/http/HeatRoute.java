package io.canopygrid.server.endpoint.http;

import io.canopygrid.btree.load.HeatGrid;
import io.canopygrid.btree.load.HeatQuestion;
import io.canopygrid.btree.load.LoadHistory;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.codec.SeparatorText;
import io.canopygrid.server.endpoint.access.Right;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The uses of the keys of an index, by ranges and steps of time. Thread-safe. */
final class HeatRoute {
  private static final int MINUTES_MAX =
      (int) Duration.ofSeconds((long) LoadHistory.STEPS_MAX * LoadHistory.STEP_SECONDS).toMinutes();

  private final ServedNode node;

  HeatRoute(ServedNode node) {
    this.node = node;
  }

  List<Route> all() {
    return List.of(new Route("GET", "/api/v1/indexes/{index}/heat", this::heat));
  }

  private ApiResponse heat(Call call) {
    call.checkQuery("from", "to", "ranges", "minutes");
    call.checkNoBody();
    UserIndex index = UserIndex.find(node, call.part("index"), Right.READ, call.access());
    byte[] from = bytes(call, "from");
    byte[] to = bytes(call, "to");
    if (from != null && to != null && Arrays.compareUnsigned(from, to) >= 0) {
      throw Fields.wrong("'from' must be below 'to'");
    }
    int ranges = call.number("ranges", HeatQuestion.RANGES_MAX, 1, HeatQuestion.RANGES_MAX);
    int minutes = call.number("minutes", MINUTES_MAX, 1, MINUTES_MAX);
    int steps = (int) Duration.ofMinutes(minutes).toSeconds() / LoadHistory.STEP_SECONDS;
    HeatGrid grid = node.heat().read(index.ref().number(), from, to, ranges, steps);
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("index", index.ref().name());
    fields.put("stepSeconds", LoadHistory.STEP_SECONDS);
    fields.put("steps", steps);
    List<Map<String, Object>> parts = new ArrayList<>();
    for (byte[] low : grid.lows()) {
      parts.add(
          Map.of(
              "from", SeparatorText.of(low, index.keys().texts()),
              "at", HexFormat.of().formatHex(low)));
    }
    fields.put("ranges", parts);
    fields.put("cells", cells(grid));
    return ApiResponse.of(200, fields);
  }

  /** Those in which something happened: step, range, reads, writes and conflicts per second. */
  private static List<List<Number>> cells(HeatGrid grid) {
    List<List<Number>> cells = new ArrayList<>();
    for (int step = 0; step < grid.steps(); step++) {
      for (int range = 0; range < grid.lows().size(); range++) {
        double reads = rounded(grid.reads(step, range));
        double writes = rounded(grid.writes(step, range));
        double conflicts = rounded(grid.conflicts(step, range));
        if (reads > 0 || writes > 0 || conflicts > 0) {
          cells.add(List.of(step, range, reads, writes, conflicts));
        }
      }
    }
    return cells;
  }

  private static double rounded(double perSecond) {
    return Math.round(perSecond * 100) / 100.0;
  }

  /** A key that bounds ranges, as an answer names it; null: there is no bound. */
  private static byte @Nullable [] bytes(Call call, String name) {
    String text = call.parameter(name);
    return text == null || text.isEmpty() ? null : UserIndex.bytes(name, text);
  }
}
