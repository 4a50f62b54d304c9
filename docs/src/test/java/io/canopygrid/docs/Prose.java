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
  private static final String RIDDLES =
      "Who|Whoever|Not so|One (?:that|who|which)|Those (?:who|that|which|of)";

  /** Cells of tables may be labels: "What was sent." */
  private static final Pattern RIDDLE = beginning(RIDDLES);

  private static final Pattern RIDDLE_OF_PAGES = beginning(RIDDLES + "|What");

  /**
   * Comments say what a thing is: "The number of entries", not "How many there are". A comment may
   * begin with "Whether", which is how the answer of a yes-or-no method is described.
   */
  private static final Pattern RIDDLE_OF_COMMENTS = beginning(RIDDLES + "|What|Whatever|How");

  /** The first sentence of a comment has no sentence before it that a pronoun could refer to. */
  private static final Pattern PRONOUN = Pattern.compile("\\A((?:It|They|He|She) .{0,50})");

  private static final Pattern COMMENT =
      Pattern.compile("/\\*\\*?(.*?)\\*/|(?m)^[ \\t]*//([^\\n]*)$", Pattern.DOTALL);
  private static final Pattern COMMENT_MARGIN = Pattern.compile("(?m)^\\s*\\*? ?");
  private static final Pattern PARAGRAPH = Pattern.compile("\\s*\\R\\s*\\R\\s*|<p>|<li>|\\R\\s*@");

  private Prose() {}

  private static Pattern beginning(String words) {
    return Pattern.compile("(?:^|[.!?][\"')*]* )\\**((?:" + words + ") .{0,50})");
  }

  /** The beginnings of sentences of a page that do not name their subject. */
  static List<String> riddles(Markdown page) {
    List<String> riddles = new ArrayList<>();
    for (Markdown.Block block : page.blocks()) {
      Stream<String> found =
          switch (block.kind()) {
            case PROSE -> riddles(RIDDLE_OF_PAGES, block.text());
            case TABLE -> cells(block).flatMap(cell -> riddles(RIDDLE, cell));
            default -> Stream.of();
          };
      found.forEach(riddle -> riddles.add("line " + block.line() + ": " + riddle));
    }
    return riddles;
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
        riddlesOfComment(lineComment.toString()).forEach(riddles::add);
        lineComment.setLength(0);
      }
      if (comment.group(2) != null) {
        lineComment.append(comment.group(2)).append(' ');
      } else {
        String text = COMMENT_MARGIN.matcher(comment.group(1)).replaceAll("");
        riddlesOfComment(text).forEach(riddles::add);
      }
    }
    riddlesOfComment(lineComment.toString()).forEach(riddles::add);
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

  private static Stream<String> riddlesOfComment(String text) {
    return Stream.concat(
        riddles(PRONOUN, text),
        PARAGRAPH.splitAsStream(text).flatMap(paragraph -> riddles(RIDDLE_OF_COMMENTS, paragraph)));
  }

  private static Stream<String> riddles(Pattern riddle, String text) {
    String oneLine = text.strip().replaceAll("\\s+", " ");
    return riddle.matcher(oneLine).results().map(found -> found.group(1));
  }

  private static Stream<String> cells(Markdown.Block table) {
    return table.lines().stream().flatMap(row -> Stream.of(row.split("\\|")));
  }
}
