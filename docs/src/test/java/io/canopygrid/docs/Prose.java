package io.canopygrid.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules for prose: how sentences begin, and how wide lines are. */
final class Prose {
  static final int COLUMNS_MAX = 100;

  /** A sentence names its subject first; these words put a riddle in its place. */
  private static final Pattern RIDDLE =
      Pattern.compile(
          "(?:^|[.!?][\"')*]* )\\**((?:Who|Whoever|Not so|One that|Those (?:who|that|which))"
              + " .{0,50})");

  private static final Pattern COMMENT =
      Pattern.compile("/\\*\\*?(.*?)\\*/|(?m)^[ \\t]*//([^\\n]*)$", Pattern.DOTALL);
  private static final Pattern COMMENT_MARGIN = Pattern.compile("(?m)^\\s*\\*? ?");
  private static final Pattern PARAGRAPH = Pattern.compile("\\s*\\R\\s*\\R\\s*|<p>|<li>|\\R\\s*@");

  private Prose() {}

  /** The beginnings of sentences of a page that do not name their subject. */
  static List<String> riddles(Markdown page) {
    return page.blocks().stream()
        .filter(block -> block.kind() != Markdown.Kind.FENCED)
        .filter(block -> block.kind() != Markdown.Kind.INDENTED)
        .flatMap(block ->
            paragraphs(block)
                .flatMap(text -> riddles(text).stream())
                .map(riddle -> "line " + block.line() + ": " + riddle))
        .toList();
  }

  /** The same of the comments of a Java source. */
  static List<String> riddlesOfJava(String source) {
    List<String> riddles = new ArrayList<>();
    Matcher comment = COMMENT.matcher(source);
    StringBuilder lineComment = new StringBuilder();
    int end = -1;
    while (comment.find()) {
      boolean adjacent = end >= 0 && source.substring(end, comment.start()).isBlank();
      end = comment.end();
      if (comment.group(2) == null || !adjacent) {
        riddles.addAll(riddles(lineComment.toString()));
        lineComment.setLength(0);
      }
      if (comment.group(2) != null) {
        lineComment.append(comment.group(2)).append(' ');
      } else {
        String text = COMMENT_MARGIN.matcher(comment.group(1)).replaceAll("");
        PARAGRAPH.splitAsStream(text).forEach(paragraph -> riddles.addAll(riddles(paragraph)));
      }
    }
    riddles.addAll(riddles(lineComment.toString()));
    return riddles;
  }

  /** The lines of prose that are too wide, but for words that cannot be broken. */
  static List<String> wideLines(Markdown page) {
    List<String> wide = new ArrayList<>();
    for (Markdown.Block block : page.blocks()) {
      if (block.kind() != Markdown.Kind.PROSE) {
        continue;
      }
      for (int i = 0; i < block.lines().size(); i++) {
        String line = block.lines().get(i);
        String words = line.strip().replaceFirst("^(?:[*+-]|\\d+\\.) +", "");
        if (line.codePointCount(0, line.length()) > COLUMNS_MAX && words.contains(" ")) {
          wide.add("line " + (block.line() + i) + ": " + words);
        }
      }
    }
    return wide;
  }

  private static List<String> riddles(String text) {
    String oneLine = text.strip().replaceAll("\\s+", " ");
    return RIDDLE.matcher(oneLine).results().map(riddle -> riddle.group(1)).toList();
  }

  private static Stream<String> paragraphs(Markdown.Block block) {
    return block.kind() == Markdown.Kind.TABLE
        ? block.lines().stream().flatMap(row -> Stream.of(row.split("\\|")))
        : Stream.of(block.text());
  }
}
