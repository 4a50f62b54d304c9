package io.canopygrid.soak.power;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The record of a disk's forces, as {@code power.c} describes it. */
final class ForceRecord {
  /**
   * A change of a directory's entries.
   *
   * @param kind the letter in the record
   * @param directory its inode
   * @param to the new path; the same as the old one unless it is a renaming
   */
  record Change(char kind, long position, long directory, Path path, Path to) {}

  private final Map<Long, Long> sizes = new HashMap<>();
  private final Map<Long, Long> positions = new HashMap<>();
  private final List<Change> changes = new ArrayList<>();

  /** Reads a record; there is none where the disk has not been used yet. */
  static ForceRecord read(Path file) throws IOException {
    ForceRecord record = new ForceRecord();
    if (!Files.exists(file)) {
      return record;
    }
    Set<Long> failed = new HashSet<>();
    for (String line : Files.readAllLines(file)) {
      String[] fields = line.split("\t", -1);
      long first = Long.parseLong(fields[1]);
      switch (fields[0]) {
        case "F" -> {
          record.sizes.merge(first, Long.valueOf(fields[2]), Math::max);
          record.positions.merge(first, Long.valueOf(fields[3]), Math::max);
        }
        case "V" -> failed.add(first);
        default -> record.changes.add(change(fields));
      }
    }
    record.changes.removeIf(change -> failed.contains(change.position()));
    return record;
  }

  private static Change change(String[] fields) {
    Path path = Path.of(fields[3]);
    return new Change(
        fields[0].charAt(0),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        path,
        fields.length > 4 ? Path.of(fields[4]) : path);
  }

  /** A line that says that a file has been forced, for the beginning of a record. */
  static String forced(long inode, long size) {
    return "F\t" + inode + "\t" + size + "\t0\n";
  }

  /** The number of bytes at a file's beginning that were forced. */
  long forcedSize(long inode) {
    return sizes.getOrDefault(inode, 0L);
  }

  /** The changes of each directory that no force of it covers, in order. */
  Map<Long, List<Change>> unforcedChanges() {
    Map<Long, List<Change>> unforced = new HashMap<>();
    for (Change change : changes) {
      if (change.position() >= positions.getOrDefault(change.directory(), 0L)) {
        unforced.computeIfAbsent(change.directory(), inode -> new ArrayList<>()).add(change);
      }
    }
    return unforced;
  }
}
