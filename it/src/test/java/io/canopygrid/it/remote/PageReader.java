package io.canopygrid.it.remote;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.ResumeToken;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.cli.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A process that reads one page of an index and ends: all that the next one gets of it are the
 * tokens of its cursors. The process reads in both directions, in one transaction for each.
 */
final class PageReader {
  static final TransactionOptions PATIENT =
      TransactionOptions.labelled("page")
          .withTimeout(Duration.ofMinutes(1))
          .withMaxAttempts(TransactionOptions.MAX_ATTEMPTS_MOST);

  /** The token of a cursor that has not begun. */
  static final String BEGINNING = "-";

  private PageReader() {}

  /**
   * The page that one cursor read.
   *
   * @param keys of the page, in the cursor's order
   * @param token to go on with
   */
  record Page(List<Long> keys, String token) {}

  /** The index that is read, opened at any handle. */
  static Index<Long, String> index(Canopy db) {
    return db.index("paged", Codec.int64(), Codec.string());
  }

  /**
   * Starts the process, and waits for its end.
   *
   * @param tokens of the cursors, the second of which goes from the greatest key to the least
   */
  static List<Page> read(String uri, int entries, List<String> tokens)
      throws IOException, InterruptedException {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.addAll(List.of(JavaCommand.classPath(), PageReader.class.getName()));
    command.addAll(List.of(uri, Integer.toString(entries)));
    command.addAll(tokens);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<Page> pages = new ArrayList<>();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> words = List.of(line.split(" ", -1));
        pages.add(new Page(words.stream().skip(1).map(Long::valueOf).toList(), words.get(0)));
      }
    } finally {
      process.destroyForcibly();
    }
    if (process.waitFor() != 0 || pages.size() != tokens.size()) {
      throw new IOException("the reader ended with " + process.exitValue() + ": " + pages);
    }
    return pages;
  }

  /** The process: an address, a number of entries, and tokens; prints a page on a line each. */
  public static void main(String[] args) {
    int entries = Integer.parseInt(args[1]);
    ClientOptions options = ClientOptions.DEFAULTS.withConnectTimeout(Duration.ofSeconds(30));
    try (Canopy db = RemoteCanopy.connect(args[0], options)) {
      for (int i = 2; i < args.length; i++) {
        Page page = page(db, entries, args[i], i > 2);
        StringBuilder line = new StringBuilder(page.token());
        page.keys().forEach(key -> line.append(' ').append(key));
        System.out.println(line);
      }
    }
  }

  private static Page page(Canopy db, int entries, String token, boolean reverse) {
    Index<Long, String> index = index(db);
    if (token.equals(BEGINNING)) {
      return db.<Page, RuntimeException>read(
          PATIENT,
          tx -> {
            try (Cursor<Long, String> all = tx.on(index).scan()) {
              return page(reverse ? all.reverse() : all, entries);
            }
          });
    }
    ResumeToken at = ResumeToken.parse(token);
    return db.<Page, RuntimeException>read(
        PATIENT.resuming(at),
        tx -> {
          try (Cursor<Long, String> rest = tx.on(index).resume(at)) {
            return page(rest, entries);
          }
        });
  }

  private static Page page(Cursor<Long, String> cursor, int entries) {
    List<Long> keys = new ArrayList<>();
    Iterator<Map.Entry<Long, String>> rest = cursor.iterator();
    while (keys.size() < entries && rest.hasNext()) {
      keys.add(rest.next().getKey());
    }
    return new Page(keys, cursor.resumeToken().toString());
  }
}
