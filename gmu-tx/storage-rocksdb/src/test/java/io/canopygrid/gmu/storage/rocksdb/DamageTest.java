package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage.Batch;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that was changed is refused; one that was torn by a crash has a prefix. */
final class DamageTest {
  private static final CrashHistory HISTORY = new CrashHistory(1, List.of());
  private static final int STEPS = 1_000;

  /** The unit in which the engine writes its log; within the last one, damage can look torn. */
  private static final int LOG_BLOCK = 32 << 10;

  /** So much that no sorted file is written: all is in one log. */
  private static final EngineLimits LARGE = EngineLimits.DEFAULT;

  @TempDir Path temporary;

  private int number;
  private Path written;

  /** A directory as a process leaves it that is killed after {@link #STEPS} steps. */
  @BeforeEach
  void writeAndDie() throws IOException {
    Path path = temporary.resolve("data");
    try (RocksStorage storage = TestEngine.open(path, LARGE)) {
      write(storage, HISTORY.at(0).generator(), STEPS);
      written = copyOf(path);
    }
  }

  private static void write(RocksStorage storage, ChangeGenerator generator, long upTo) {
    while (generator.position() < upTo) {
      var changes = generator.next();
      storage.write(List.of(new Batch(generator.position(), changes)));
    }
  }

  @Test
  void aKilledProcessLeavesAll() throws IOException {
    assertThat(opened(copyOf(written))).isEqualTo(STEPS);
  }

  @Test
  void aTornLogHasAPrefix() throws IOException {
    int length = (int) Files.size(log(written));
    long before = -1;
    for (int kept = 100; kept < length; kept += 1 + length / 60) {
      Path torn = torn(kept);
      long position = opened(torn);
      assertThat(position).as("%d of %d bytes", kept, length).isGreaterThanOrEqualTo(before);
      before = position;
    }
    assertThat(before).isBetween(STEPS * 9L / 10, (long) STEPS);
  }

  /** The disk's id was forced when the engine was made. */
  @Test
  void anEmptyLogIsDamage() throws IOException {
    assertRefused(torn(0), Reason.DAMAGED, "empty log");
  }

  private Path torn(int kept) throws IOException {
    Path torn = copyOf(written);
    Path log = log(torn);
    Files.write(log, Arrays.copyOf(Files.readAllBytes(log), kept));
    return torn;
  }

  /** A file that was made longer, and not written before the power went. */
  @Test
  void aLogWithZerosAtItsEndHasAll() throws IOException {
    Path torn = copyOf(written);
    Files.write(log(torn), new byte[100_000], StandardOpenOption.APPEND);
    assertThat(opened(torn)).isEqualTo(STEPS);
  }

  /**
   * The power goes while the last record is written: the file has its new length, and zeros or
   * anything where the record's end should be, or between parts of it.
   */
  @Test
  void aRecordThatIsNotWholeAtTheEndIsCutOff() throws IOException {
    Path path = temporary.resolve("torn");
    int before;
    try (RocksStorage storage = TestEngine.open(path, LARGE)) {
      ChangeGenerator generator = HISTORY.at(0).generator();
      write(storage, generator, STEPS / 2);
      before = (int) Files.size(log(path));
      storage.write(batches(generator, STEPS));
      written = copyOf(path);
    }
    byte[] log = Files.readAllBytes(log(written));
    assertThat(log.length - before).as("bytes of the record").isGreaterThan(2 * LOG_BLOCK);
    Random random = new Random(1);
    for (int from = before + 1; from < log.length; from += 1 + (log.length - before) / 15) {
      byte[] torn = log.clone();
      switch (random.nextInt(3)) {
        case 0 -> Arrays.fill(torn, from, log.length, (byte) 0);
        case 1 -> Arrays.fill(torn, from, Math.min(from + 512, log.length), (byte) 0);
        default -> System.arraycopy(bytes(random, log.length), 0, torn, from, log.length - from);
      }
      Path copy = copyOf(written);
      Files.write(log(copy), torn);
      assertThat(opened(copy)).as("from %d of %d", from, log.length).isEqualTo(STEPS / 2);
    }
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<Batch> batches(ChangeGenerator generator, long upTo) {
    List<Batch> batches = new ArrayList<>();
    while (generator.position() < upTo) {
      var changes = generator.next();
      batches.add(new Batch(generator.position(), changes));
    }
    return batches;
  }

  /** The engine has a log of its files, too, of the same form. */
  @Test
  void anEntryOfTheEnginesFilesThatIsNotWholeAtTheEndIsCutOff() throws IOException {
    Path manifest = manifest(written);
    byte[] log = Files.readAllBytes(manifest);
    byte[] torn = Arrays.copyOf(log, log.length + 200);
    System.arraycopy(log, 0, torn, log.length, 10);
    Files.write(manifest, torn);
    assertThat(opened(written)).isEqualTo(STEPS);
  }

  private static Path manifest(Path path) throws IOException {
    Path engine = path.resolve("engine");
    return engine.resolve(Files.readString(engine.resolve("CURRENT")).strip());
  }

  @Test
  void aBitThatChangesInTheLogIsDamage() throws IOException {
    byte[] log = Files.readAllBytes(log(written));
    assertThat(log.length).as("blocks of the log").isGreaterThan(4 * LOG_BLOCK);
    int lastBlock = (log.length - 1) / LOG_BLOCK * LOG_BLOCK;
    for (int at = 5; at < lastBlock; at += 1 + lastBlock / 60) {
      assertRefused(damaged(log, at), Reason.DAMAGED, "bit at " + at + " of " + log.length);
    }
  }

  @Test
  void aBitThatChangesInTheLastBlockIsDamageOrATornEnd() throws IOException {
    byte[] log = Files.readAllBytes(log(written));
    int refused = 0;
    int tried = 0;
    for (int at = (log.length - 1) / LOG_BLOCK * LOG_BLOCK; at < log.length; at += 97) {
      tried++;
      try {
        opened(damaged(log, at));
      } catch (StorageException e) {
        assertThat(e.reason()).isEqualTo(Reason.DAMAGED);
        refused++;
      }
    }
    assertThat(refused).as("of %d", tried).isGreaterThan(tried / 2);
  }

  private Path damaged(byte[] log, int at) throws IOException {
    Path damaged = copyOf(written);
    byte[] changed = log.clone();
    changed[at] ^= 0x10;
    Files.write(log(damaged), changed);
    return damaged;
  }

  @Test
  void aLogThatIsGoneIsDamage() throws IOException {
    Files.delete(log(written));
    assertRefused(written, Reason.DAMAGED, "no log").hasMessageContaining("write-ahead log");
  }

  /** With several logs: whichever is missing, emptied, or was torn before the next one began. */
  @Test
  void oneOfSeveralLogsThatIsGoneIsDamage() throws IOException {
    Path several = withSeveralLogs();
    List<Path> logs = DirectoryContent.segments(several);
    assertThat(logs).hasSizeGreaterThan(2);
    for (int i = 0; i < logs.size(); i++) {
      Path missing = copyOf(several);
      Files.delete(DirectoryContent.segments(missing).get(i));
      assertRefused(missing, Reason.DAMAGED, "log " + i + " is missing");
    }
    for (int i = 0; i < logs.size() - 1; i++) {
      Path torn = copyOf(several);
      Path log = DirectoryContent.segments(torn).get(i);
      byte[] bytes = Files.readAllBytes(log);
      Files.write(log, Arrays.copyOf(bytes, bytes.length - 10));
      assertRefused(torn, Reason.DAMAGED, "log " + i + " was torn");
    }
  }

  private Path withSeveralLogs() throws IOException {
    Path path = temporary.resolve("several");
    EngineLimits limits = new EngineLimits(8 << 20, 1 << 20, 32 << 10, 2, 1 << 20);
    List<Path> copies = new ArrayList<>();
    try (RocksStorage storage = TestEngine.open(path, limits)) {
      ChangeGenerator generator = HISTORY.at(0).generator();
      while (copies.isEmpty()) {
        write(storage, generator, generator.position() + 50);
        if (DirectoryContent.segments(path).size() > 2) {
          copyIfStill(path, copies);
        }
      }
    }
    return copies.get(0);
  }

  /** Copies a directory, unless its files have changed meanwhile. */
  private void copyIfStill(Path path, List<Path> copies) throws IOException {
    try {
      List<String> before = sizes(path);
      Path copy = copyOf(path);
      if (before.equals(sizes(path))) {
        copies.add(copy);
      }
    } catch (NoSuchFileException e) {
      // a segment that was fed was removed
    }
  }

  private static List<String> sizes(Path path) throws IOException {
    List<Path> files = new ArrayList<>(DirectoryContent.engineFiles(path, ""));
    files.addAll(DirectoryContent.segments(path));
    return files.stream().map(file -> file.getFileName() + " " + file.toFile().length()).toList();
  }

  @Test
  void aBitThatChangesInASortedFileIsDamageWhenItIsRead() throws IOException {
    Path path = sorted();
    int found = 0;
    for (Path file : DirectoryContent.engineFiles(path, ".sst")) {
      byte[] bytes = Files.readAllBytes(file);
      for (int at = 3; at < bytes.length; at += 1 + bytes.length / 20) {
        Path damaged = copyOf(path);
        byte[] changed = bytes.clone();
        changed[at] ^= 0x04;
        Files.write(damaged.resolve("engine").resolve(file.getFileName()), changed);
        if (isFoundDamaged(damaged)) {
          found++;
        }
      }
    }
    // Some bytes are of no meaning to a reader: statistics, and padding.
    assertThat(found).isGreaterThan(10);
  }

  @Test
  void aBitThatChangesInALargeValueIsDamageWhenItIsRead() throws IOException {
    Path path = sorted();
    Path file = DirectoryContent.engineFiles(path, ".blob").get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 0x04;
    Files.write(file, bytes);
    assertThat(isFoundDamaged(path)).isTrue();
  }

  @Test
  void aDiskThatIsFoundDamagedTakesNothing() throws IOException {
    Path path = temporary.resolve("large");
    try (RocksStorage storage = TestEngine.open(path, LARGE)) {
      TxId tid = new TxId(new NodeId(7), 1);
      byte[] large = new byte[20 << 10];
      storage.write(
          List.of(
              new Batch(
                  1,
                  List.of(
                      new StorageChange.BeginCopy(3),
                      new StorageChange.CompleteCopy(3),
                      new StorageChange.PutVersion(
                          3, CompositeKey.header(3), 1, tid, tid, large)))));
    }
    // One of decisions would be found when the disk is opened.
    List<Path> files = DirectoryContent.engineFiles(path, ".blob");
    assertThat(files).hasSize(1);
    Files.write(files.get(0), new byte[(int) Files.size(files.get(0))]);
    try (RocksStorage storage = TestEngine.open(path, LARGE)) {
      assertThatThrownBy(storage::recovered).isInstanceOf(StorageException.class);
      assertThatThrownBy(() -> storage.write(List.of(new Batch(2, List.of()))))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));
    }
  }

  /** Whether it is refused, or has what it had. */
  private boolean isFoundDamaged(Path path) {
    try {
      assertThat(opened(path)).isEqualTo(STEPS);
      return false;
    } catch (StorageException e) {
      assertThat(e.reason()).isEqualTo(Reason.DAMAGED);
      return true;
    }
  }

  /** A directory whose content is in sorted files, as it is after an orderly end. */
  private Path sorted() {
    TestEngine.open(written, LARGE).close();
    return written;
  }

  @Test
  void aFileThatIsGoneIsDamage() throws IOException {
    Path path = sorted();
    for (String name : List.of(".sst", "CURRENT", ".blob")) {
      Path damaged = copyOf(path);
      Files.delete(DirectoryContent.engineFiles(damaged, name).get(0));
      assertRefused(damaged, Reason.DAMAGED, name);
    }
    Path damaged = copyOf(path);
    Files.delete(manifest(damaged));
    assertRefused(damaged, Reason.DAMAGED, "manifest");
  }

  @Test
  void theEngineOfAnotherDiskIsForeign() throws IOException {
    Path other = temporary.resolve("other");
    TestEngine.open(other).close();
    Files.copy(
        other.resolve("CANOPY"), written.resolve("CANOPY"), StandardCopyOption.REPLACE_EXISTING);
    assertRefused(written, Reason.FOREIGN, "label of another disk")
        .hasMessageContaining("another disk");
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      Path path, Reason reason, String what) {
    return assertThatThrownBy(() -> opened(path), what)
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.reason()).as("%s: %s", what, e.getMessage()).isEqualTo(reason))
        .hasMessageContaining(path.toString());
  }

  /** Opens a directory, checks that it has the steps up to some position, and returns that. */
  private static long opened(Path path) {
    try (RocksStorage storage = TestEngine.open(path, LARGE)) {
      long position = storage.openedAt();
      Recovered recovered = storage.recovered();
      assertThat(Contents.of(recovered))
          .as("position %d", position)
          .isEqualTo(Contents.of(HISTORY.reopened(position).at(position).image().recovered()));
      return position;
    }
  }

  private static Path log(Path path) throws IOException {
    List<Path> logs = DirectoryContent.segments(path);
    return logs.get(logs.size() - 1);
  }

  private Path copyOf(Path path) throws IOException {
    return DirectoryContent.copy(path, temporary.resolve("copy" + number++));
  }
}
