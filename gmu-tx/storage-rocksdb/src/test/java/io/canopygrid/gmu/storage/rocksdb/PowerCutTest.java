package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Durability;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.Storage.Batch;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import io.canopygrid.gmu.storage.engine.OpenDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk knows whether a power cut may have taken what was written last, until a topology. */
final class PowerCutTest {
  private static final long OTHER_RUN = 5;
  private static final long UNKNOWN_RUN = 0;

  /** The bytes of a segment's header, of the run in it, and of its checksum at the end. */
  private static final int HEADER = 48;

  private static final int RUN_AT = 36;
  private static final int CRC_AT = 44;

  private static final StorageChange USER = new StorageChange.PutUser(new NodeId(7));
  private static final StorageChange TOPOLOGY =
      new StorageChange.PutTopology(new Topology(9, List.of(), List.of()), List.of());

  @TempDir Path temporary;

  private int copies;

  /** As a process leaves it that was killed, in this run of the machine, after a few steps. */
  private Path killed;

  @BeforeEach
  void writeAndDie() throws IOException {
    Path path = temporary.resolve("data");
    try (RocksStorage storage = open(path)) {
      write(storage, USER);
      killed = copyOf(path);
    }
  }

  private static RocksStorage open(Path path) {
    return TestEngine.open(path, EngineLimits.DEFAULT);
  }

  private static void write(RocksStorage storage, StorageChange... changes) {
    storage.write(List.of(new Batch(storage.openedAt() + 1, List.of(changes))));
  }

  /** Opens a directory, writes changes, and leaves it as a process does that is killed then. */
  private Path killedAfter(Path path, StorageChange... changes) throws IOException {
    try (RocksStorage storage = open(path)) {
      if (changes.length > 0) {
        write(storage, changes);
      }
      return copyOf(path);
    }
  }

  /** The machine has stopped since the newest segment of the log began. */
  private static Path inRun(long run, Path path) throws IOException {
    Path segment = newest(path);
    byte[] bytes = Files.readAllBytes(segment);
    ByteBuffer header = ByteBuffer.wrap(bytes);
    header.putLong(RUN_AT, run);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CRC_AT);
    header.putInt(CRC_AT, (int) crc.getValue());
    Files.write(segment, bytes);
    return path;
  }

  private static Path newest(Path path) throws IOException {
    List<Path> segments = DirectoryContent.segments(path);
    return segments.get(segments.size() - 1);
  }

  private static boolean mayLack(Path path) {
    try (RocksStorage storage = open(path)) {
      return storage.recovered().mayLack();
    }
  }

  private Path copyOf(Path path) throws IOException {
    return DirectoryContent.copy(path, temporary.resolve("copy" + copies++));
  }

  @Test
  void aProcessThatIsKilledLosesNothing() throws IOException {
    assertThat(mayLack(killed)).isFalse();
  }

  @Test
  void aMachineThatStopsMayLoseWhatWasNotForced() throws IOException {
    assertThat(mayLack(inRun(OTHER_RUN, killed))).isTrue();
  }

  @Test
  void aMachineWhoseRunIsNotKnownMayHaveStopped() throws IOException {
    assertThat(mayLack(inRun(UNKNOWN_RUN, killed))).isTrue();
  }

  @Test
  void aDiskThatHasNothingLacksNothing() throws IOException {
    Path empty = killedAfter(temporary.resolve("empty"));
    assertThat(mayLack(inRun(OTHER_RUN, empty))).isFalse();
  }

  @Test
  void aDiskThatIsClosedInOrderHasAll() throws IOException {
    Path closed = temporary.resolve("data");
    assertThat(mayLack(inRun(OTHER_RUN, closed))).isFalse();
    assertThat(mayLack(inRun(OTHER_RUN, closed))).as("also where nothing was written").isFalse();
  }

  /** All that came after the close is lost, so the position is the one of the close. */
  @Test
  void aDiskThatIsOpenedAgainAfterTheCloseMayLackWhatCameThen() throws IOException {
    Path again = killedAfter(temporary.resolve("data"), USER);
    Path segment = newest(again);
    Files.write(segment, Arrays.copyOf(Files.readAllBytes(segment), HEADER));
    inRun(OTHER_RUN, again);
    try (RocksStorage storage = open(again)) {
      assertThat(storage.openedAt()).isEqualTo(1);
      assertThat(storage.recovered().mayLack()).isTrue();
    }
  }

  @Test
  void whereEachWriteIsForcedNothingIsLost() throws IOException {
    Path path = temporary.resolve("fsync");
    Path forced;
    try (RocksStorage storage = openForced(path)) {
      write(storage, USER);
      storage.force();
      forced = copyOf(path);
    }
    try (RocksStorage storage = openForced(inRun(OTHER_RUN, forced))) {
      assertThat(storage.recovered().mayLack()).isFalse();
    }
  }

  private static RocksStorage openForced(Path path) {
    return TestEngine.open(path, EngineLimits.DEFAULT, Durability.FSYNC);
  }

  /** The disk is set to force each write only after the cut. */
  @Test
  void aCutBeforeEachWriteWasForcedStillCounts() throws IOException {
    UUID grid = new UUID(1, 2);
    try (DataDirectory label = DataDirectory.open(killed, TestEngine.SHARDS, Durability.ASYNC)) {
      label.joins(grid);
    }
    inRun(OTHER_RUN, killed);
    try (DataDirectory label = DataDirectory.open(killed, TestEngine.SHARDS, Durability.FSYNC);
        RocksStorage storage = StorageOpening.open(label, EngineLimits.DEFAULT)) {
      assertThat(storage.recovered().mayLack()).isTrue();
      label.joins(grid);
    }
    try (RocksStorage storage = openForced(killed)) {
      assertThat(storage.recovered().mayLack()).as("until a topology is installed").isTrue();
    }
  }

  @Test
  void itIsKnownUntilATopologyIsInstalled() throws IOException {
    Path again = killedAfter(inRun(OTHER_RUN, killed), USER);
    assertThat(mayLack(copyOf(again))).isTrue();
    Path closed = copyOf(again);
    open(closed).close();
    assertThat(mayLack(closed)).as("closed in order").isTrue();
    Path installed = killedAfter(again, TOPOLOGY);
    assertThat(mayLack(copyOf(installed))).isFalse();
    assertThat(mayLack(inRun(OTHER_RUN, installed))).as("after another cut").isTrue();
  }

  /** The topology was the last that was written before the cut, and says nothing about it. */
  @Test
  void aTopologyFromBeforeTheCutDoesNotCount() throws IOException {
    Path installed = inRun(OTHER_RUN, killedAfter(inRun(OTHER_RUN, killed), TOPOLOGY));
    assertThat(mayLack(killedAfter(installed))).isTrue();
  }

  /** The label cannot be written: the log has a segment of this run, and the disk is not open. */
  @Test
  void itIsKnownBeforeTheLogGoesOn() throws IOException {
    try (DataDirectory label = DataDirectory.open(killed, TestEngine.SHARDS, Durability.ASYNC)) {
      label.joins(new UUID(1, 2));
    }
    Path segment = newest(inRun(OTHER_RUN, killed));
    Path inTheWay = Files.createDirectories(killed.resolve("CANOPY.new").resolve("full"));
    assertThatThrownBy(() -> open(killed)).isInstanceOf(StorageException.class);
    assertThat(newest(killed)).isNotEqualTo(segment);
    Files.delete(inTheWay);
    Files.delete(inTheWay.getParent());
    assertThat(mayLack(killed)).isTrue();
  }

  @Test
  void aLookAtTheDiskFindsNothingWrong() throws IOException {
    Path again = killedAfter(inRun(OTHER_RUN, killed), new StorageChange.PutCuts(List.of()));
    assertThat(OpenDisk.verify(again)).extracting(DiskReport::problemCount).isEqualTo(0L);
    assertThat(mayLack(again)).isTrue();
    assertThat(OpenDisk.verify(again)).extracting(DiskReport::problemCount).isEqualTo(0L);
  }
}
