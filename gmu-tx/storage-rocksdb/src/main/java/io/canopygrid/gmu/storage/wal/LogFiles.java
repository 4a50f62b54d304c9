package io.canopygrid.gmu.storage.wal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** The names of segments in a log's directory. */
final class LogFiles {
  private static final String END = ".log";

  private LogFiles() {}

  static Path of(Path directory, long number) {
    return directory.resolve(String.format(Locale.ROOT, "%016d%s", number, END));
  }

  /** The segments by number. */
  static SortedMap<Long, Path> in(Path directory) throws IOException {
    SortedMap<Long, Path> found = new TreeMap<>();
    if (!Files.isDirectory(directory)) {
      return found;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "[0-9]*" + END)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        found.put(Long.parseLong(name.substring(0, name.length() - END.length())), file);
      }
    } catch (NumberFormatException e) {
      throw new IOException("a log's directory with another file in it: " + directory, e);
    }
    return found;
  }
}
