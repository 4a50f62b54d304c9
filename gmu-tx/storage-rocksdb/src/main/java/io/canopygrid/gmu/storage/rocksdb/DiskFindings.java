package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.wire.MalformedBytesException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rocksdb.RocksDBException;

/** Collects what is wrong with a disk. Confined to one thread. */
final class DiskFindings {
  private static final int TOLD_MAX = 20;

  private final List<String> told = new ArrayList<>();
  private long count;

  /** A part of the look at a disk. */
  interface Look {
    void run() throws IOException, RocksDBException;
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency of its own
  void add(String format, Object... arguments) {
    count++;
    if (told.size() < TOLD_MAX) {
      told.add(String.format(Locale.ROOT, format, arguments));
    }
  }

  /** Looks at a part; what keeps it from being read to its end is a problem. */
  void lookAt(String part, Look look) {
    try {
      look.run();
    } catch (IOException | RocksDBException | MalformedBytesException e) {
      add("%s cannot be read: %s", part, String.valueOf(e.getMessage()));
    }
  }

  long count() {
    return count;
  }

  /** The first of them. */
  List<String> told() {
    return told;
  }
}
