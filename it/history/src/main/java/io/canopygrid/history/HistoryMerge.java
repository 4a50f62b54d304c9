package io.canopygrid.history;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Merges the histories of several processes of one run, whose clocks have one origin. */
public final class HistoryMerge {
  private static final String INDEX = "{\"index\":";
  private static final String TIME = ",\"time\":";

  private HistoryMerge() {}

  /**
   * Writes one history with all events of the parts, by time, under new indexes; the header is the
   * first part's. Returns the file. Parts are files of a {@link HistoryWriter}, with different
   * clients.
   */
  public static Path merge(List<Path> parts, Path merged) throws IOException {
    List<BufferedReader> readers = new ArrayList<>();
    try (BufferedWriter out = Files.newBufferedWriter(merged)) {
      PriorityQueue<Line> next =
          new PriorityQueue<>(Comparator.comparingLong(Line::time).thenComparingInt(Line::part));
      for (Path part : parts) {
        BufferedReader reader = Files.newBufferedReader(part);
        readers.add(reader);
        String header = reader.readLine();
        if (readers.size() == 1 && header != null) {
          out.write(header);
          out.newLine();
        }
        advance(next, reader, readers.size() - 1);
      }
      for (long index = 0; !next.isEmpty(); index++) {
        Line line = next.remove();
        out.write(INDEX + index + line.text.substring(line.text.indexOf(TIME)));
        out.newLine();
        advance(next, readers.get(line.part), line.part);
      }
      return merged;
    } finally {
      for (BufferedReader reader : readers) {
        reader.close();
      }
    }
  }

  private static void advance(PriorityQueue<Line> next, BufferedReader reader, int part)
      throws IOException {
    String text = reader.readLine();
    if (text == null) {
      return;
    }
    if (!text.endsWith("}") && reader.read() < 0) {
      return; // its process was killed in the middle of the line
    }
    int from = text.indexOf(TIME);
    if (!text.startsWith(INDEX) || from < 0) {
      throw new MalformedHistoryException("an event begins with index and time: " + text);
    }
    int to = text.indexOf(',', from + TIME.length());
    next.add(new Line(Long.parseLong(text, from + TIME.length(), to, 10), part, text));
  }

  private record Line(long time, int part, String text) {}
}
