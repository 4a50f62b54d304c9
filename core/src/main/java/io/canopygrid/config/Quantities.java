package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Whole numbers with a unit, which is never left out: {@code 30s}, {@code 64MiB}. */
final class Quantities {
  /** The units' sizes, smallest first. */
  private final Map<String, Long> units;

  private final String what;
  private final String example;
  private final long min;
  private final long max;
  private final Pattern form;

  private Quantities(String what, String example, Map<String, Long> units, long min, long max) {
    this.what = what;
    this.example = example;
    this.units = units;
    this.min = min;
    this.max = max;
    this.form = Pattern.compile("([0-9]{1,18}) ?([A-Za-zµ]*)");
  }

  /** Durations in milliseconds. */
  static Quantities millis(long min, long max) {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("ms", 1L);
    units.put("s", 1_000L);
    units.put("min", 60_000L);
    units.put("h", 3_600_000L);
    return new Quantities("a time", "30s", units, min, max);
  }

  /** Sizes in bytes. */
  static Quantities bytes(long min, long max) {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("B", 1L);
    units.put("KiB", 1L << 10);
    units.put("MiB", 1L << 20);
    units.put("GiB", 1L << 30);
    return new Quantities("a size", "64MiB", units, min, max);
  }

  String units() {
    return String.join(", ", units.keySet());
  }

  String range() {
    return text(min) + " to " + text(max);
  }

  long parse(String text) throws WrongValueException {
    Matcher matcher = form.matcher(text);
    if (!matcher.matches()) {
      throw new WrongValueException(what + " like " + example + ", not '" + text + "'");
    }
    String unit = matcher.group(2);
    Long size = units.get(unit);
    if (size == null) {
      String unknown = unit.isEmpty() ? "without a unit" : "in '" + unit + "'";
      throw new WrongValueException(
          what + " in " + units() + " like " + example + ", not '" + text + "' " + unknown,
          nearest(matcher.group(1), unit));
    }
    long number = Long.parseLong(matcher.group(1));
    if (number > max / size || number * size < min) {
      throw new WrongValueException("from " + range() + ", not " + text);
    }
    return number * size;
  }

  /** The quantity in a file; a number without a unit is refused with the units that it may have. */
  long read(FileNode node) throws WrongValueException {
    if (node instanceof FileNode.Scalar scalar
        && (scalar.type() == FileNode.Type.TEXT || scalar.type() == FileNode.Type.NUMBER)) {
      return parse(scalar.text());
    }
    throw new WrongValueException(Kind.wanted(node, "a number with a unit"));
  }

  /** The same number with the unit that was meant, where that is plain. */
  private String nearest(String number, String unit) {
    String letter = unit.toLowerCase(java.util.Locale.ROOT);
    for (String known : units.keySet()) {
      String lower = known.toLowerCase(java.util.Locale.ROOT);
      boolean same = lower.equals(letter) || lower.replace("ib", "b").equals(letter);
      if (same || (!letter.isEmpty() && !letter.equals("b") && lower.startsWith(letter))) {
        return number + known;
      }
    }
    return "";
  }

  String text(long value) {
    String text = value + units.keySet().iterator().next();
    for (Map.Entry<String, Long> unit : units.entrySet()) {
      if (value != 0 && value % unit.getValue() == 0) {
        text = value / unit.getValue() + unit.getKey();
      }
    }
    return text;
  }

  void schema(ObjectNode schema) {
    String pattern = units.keySet().stream().collect(Collectors.joining("|", "^[0-9]+ ?(", ")$"));
    schema.put("type", "string").put("pattern", pattern);
    schema.put("x-unit", units()).put("x-range", range());
  }
}
