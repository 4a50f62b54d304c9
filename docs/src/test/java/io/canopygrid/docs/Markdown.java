package io.canopygrid.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page, taken apart into the blocks that the checks look at. */
final class Markdown {
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)\\s*#*");
  private static final Pattern ITEM = Pattern.compile("\\s*(?:[*+-]|\\d+\\.) +");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)[^)]*\\)");
  private static final Pattern CODE_SPAN = Pattern.compile("`[^`]*`");

  /** The kinds of blocks. */
  enum Kind {
    HEADING,
    PROSE,
    TABLE,
    FENCED,
    INDENTED
  }

  /**
   * A block.
   *
   * @param line the number of its first line, from 1
   * @param language of fenced code, else empty
   * @param lines without the fences
   */
  record Block(Kind kind, int line, String language, List<String> lines) {
    /** The lines as one text, without the mark of a list or heading. */
    String text() {
      String joined = String.join(" ", lines.stream().map(String::strip).toList());
      return joined.replaceFirst("^(?:#{1,6}|[*+-]|\\d+\\.) +", "");
    }
  }

  private final List<Block> blocks = new ArrayList<>();

  private Markdown() {}

  static Markdown of(Path file) {
    return parse(Project.read(file));
  }

  static Markdown parse(String text) {
    Markdown page = new Markdown();
    List<String> lines = text.lines().toList();
    int at = 0;
    while (at < lines.size()) {
      at = page.take(lines, at);
    }
    return page;
  }

  List<Block> blocks() {
    return List.copyOf(blocks);
  }

  /** The fenced blocks in this language. */
  List<Block> fenced(String language) {
    return blocks.stream()
        .filter(block -> block.kind() == Kind.FENCED && block.language().equals(language))
        .toList();
  }

  /** The targets of the links that stand in text, not in code. */
  List<String> links() {
    List<String> targets = new ArrayList<>();
    for (Block block : blocks) {
      if (block.kind() != Kind.FENCED && block.kind() != Kind.INDENTED) {
        LINK.matcher(CODE_SPAN.matcher(block.text()).replaceAll("code"))
            .results()
            .forEach(link -> targets.add(link.group(1)));
      }
    }
    return targets;
  }

  /** The anchors of the headings, named as code hosts name them. */
  Set<String> anchors() {
    Set<String> anchors = new LinkedHashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (Block block : blocks) {
      if (block.kind() == Kind.HEADING) {
        String anchor = anchor(block.text());
        int before = seen.merge(anchor, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? anchor : anchor + "-" + before);
      }
    }
    return anchors;
  }

  private static String anchor(String heading) {
    return heading
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  /** Takes the block that begins at a line; returns where the next one begins. */
  private int take(List<String> lines, int from) {
    String line = lines.get(from);
    if (line.isBlank()) {
      return from + 1;
    }
    if (line.strip().startsWith("```")) {
      return takeFenced(lines, from);
    }
    if (HEADING.matcher(line).matches()) {
      blocks.add(new Block(Kind.HEADING, from + 1, "", List.of(line)));
      return from + 1;
    }
    Kind kind = kind(line, from > 0 && !lines.get(from - 1).isBlank());
    int to = from + 1;
    while (to < lines.size() && continues(kind, lines.get(to))) {
      to++;
    }
    blocks.add(new Block(kind, from + 1, "", lines.subList(from, to)));
    return to;
  }

  private int takeFenced(List<String> lines, int from) {
    int to = from + 1;
    while (to < lines.size() && !lines.get(to).strip().equals("```")) {
      to++;
    }
    String language = lines.get(from).strip().substring(3).strip();
    blocks.add(new Block(Kind.FENCED, from + 1, language, lines.subList(from + 1, to)));
    return to + 1;
  }

  private static Kind kind(String line, boolean withinText) {
    if (line.startsWith("|")) {
      return Kind.TABLE;
    }
    return line.startsWith("    ") && !withinText ? Kind.INDENTED : Kind.PROSE;
  }

  private static boolean continues(Kind kind, String line) {
    Matcher heading = HEADING.matcher(line);
    if (line.isBlank() || line.strip().startsWith("```") || heading.matches()) {
      return false;
    }
    return switch (kind) {
      case TABLE -> line.startsWith("|");
      case INDENTED -> line.startsWith("    ");
      default -> !line.startsWith("|") && !ITEM.matcher(line).lookingAt();
    };
  }
}
