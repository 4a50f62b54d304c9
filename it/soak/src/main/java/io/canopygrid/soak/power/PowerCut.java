package io.canopygrid.soak.power;

import io.canopygrid.soak.power.ForceRecord.Change;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes from a disk whose process was killed all that a power cut could take.
 *
 * <p>The model: files only grow, and are replaced as wholes.
 *
 * <ul>
 *   <li>A file keeps what it had when a force of it began, if that force has ended. Of what was
 *       written later a beginning stays, of random length: often nothing or all of it. The end of
 *       that may be torn: up to 4 KiB of it are zeros or anything, as where a file system has the
 *       new length and not yet the data.
 *   <li>The entries of a directory change in order. Changes that were made when a force of the
 *       directory began stay. Of the later ones the first ones stay, as many as chance has it; a
 *       file that was made is away again, a file that was renamed or replaced is back, and so is
 *       one that was removed.
 *   <li>Forcing a file does not make its name stay. File systems may do more than that, and no
 *       program should count on it.
 *   <li>A directory that was removed stays away.
 * </ul>
 *
 * <p>Different files lose different parts, whatever the order in which they were written. After the
 * cut all that is left counts as forced, and was written in {@linkplain OtherRun another run of the
 * machine}.
 *
 * <p>Programs that write into what they have written before are outside this model: the file {@code
 * LOCK} of a data directory is, whose content says nothing after a cut.
 */
final class PowerCut {
  private static final int BLOCK = 4_096;

  private final Path disk;
  private final Path records;
  private final @Nullable Random random;
  private long bytesLost;
  private long bytesTorn;
  private long changesUndone;

  /**
   * @param disk its directory
   * @param records the directory of its record
   * @param random null: all is lost that was not forced
   */
  PowerCut(Path disk, Path records, @Nullable Random random) {
    this.disk = disk;
    this.records = records;
    this.random = random;
  }

  /** Cuts, and begins another record. Says what was lost, in words. */
  String make() throws IOException {
    ForceRecord record = ForceRecord.read(file());
    for (List<Change> changes : new TreeMap<>(record.unforcedChanges()).values()) {
      undo(changes);
    }
    for (Path kept : files()) {
      cut(kept, record.forcedSize(inode(kept)));
      OtherRun.into(kept);
    }
    beginAnew();
    return bytesLost
        + " bytes lost, "
        + bytesTorn
        + " torn, "
        + changesUndone
        + " changes of directories undone";
  }

  /** Begins another record, in which all that is there is forced. */
  void beginAnew() throws IOException {
    StringBuilder forced = new StringBuilder();
    for (Path file : files()) {
      forced.append(ForceRecord.forced(inode(file), Files.size(file)));
    }
    forgetLinks();
    Files.createDirectories(records);
    Files.writeString(file(), forced);
  }

  private Path file() {
    return records.resolve("record");
  }

  /** Some of the last ones, the newest first. */
  private void undo(List<Change> changes) throws IOException {
    int stay = (int) share(changes.size());
    for (int i = changes.size() - 1; i >= stay; i--) {
      undo(changes.get(i));
      changesUndone++;
    }
  }

  private void undo(Change change) throws IOException {
    Path taken = records.resolve(Long.toString(change.position()));
    switch (change.kind()) {
      case 'C' -> Files.deleteIfExists(change.path());
      case 'M' -> delete(change.path());
      case 'R' -> {
        if (Files.exists(change.to())) {
          Files.move(change.to(), change.path(), StandardCopyOption.REPLACE_EXISTING);
        }
        putBack(taken, change.to());
      }
      case 'U' -> putBack(taken, change.path());
      default -> throw new IOException("no such change: " + change);
    }
  }

  /** A change whose process was killed before it was made has left a link, and the file. */
  private static void putBack(Path taken, Path path) throws IOException {
    if (Files.exists(taken) && !Files.exists(path)) {
      Files.createLink(path, taken);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> found = Files.walk(directory)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }

  private List<Path> files() throws IOException {
    if (!Files.exists(disk)) {
      return List.of();
    }
    try (Stream<Path> found = Files.walk(disk)) {
      return found.filter(path -> Files.isRegularFile(path)).sorted().toList();
    }
  }

  private void cut(Path file, long forced) throws IOException {
    long written = Files.size(file);
    if (written <= forced) {
      return;
    }
    long left = forced + share(written - forced);
    boolean isForPeople = file.getFileName().toString().startsWith("LOG");
    bytesLost += isForPeople ? 0 : written - left;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(left);
      if (random != null && left > forced && random.nextInt(3) == 0) {
        byte[] torn = new byte[1 + random.nextInt((int) Math.min(BLOCK, left - forced))];
        if (random.nextBoolean()) {
          random.nextBytes(torn);
        }
        channel.write(ByteBuffer.wrap(torn), left - torn.length);
        bytesTorn += isForPeople ? 0 : torn.length;
      }
    }
  }

  /** The part that stays of something that was not forced. */
  private long share(long all) {
    if (random == null) {
      return 0;
    }
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> all;
      default -> random.nextLong(all + 1);
    };
  }

  private static long inode(Path file) throws IOException {
    return ((Number) Files.getAttribute(file, "unix:ino")).longValue();
  }

  private void forgetLinks() throws IOException {
    if (!Files.exists(records)) {
      return;
    }
    List<Path> links;
    try (Stream<Path> found = Files.list(records)) {
      links = found.filter(path -> !path.endsWith("record")).toList();
    }
    for (Path link : links) {
      Files.delete(link);
    }
  }
}
