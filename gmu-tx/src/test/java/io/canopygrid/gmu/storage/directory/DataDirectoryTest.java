package io.canopygrid.gmu.storage.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.canopygrid.Durability;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory keeps its label, and is opened only where a node can use it. */
final class DataDirectoryTest {
  private static final int SHARDS = 8;

  @TempDir Path temporary;

  private Path path;

  @BeforeEach
  void name() {
    path = temporary.resolve("canopy").resolve("data");
  }

  @Test
  void aDirectoryIsMadeWhereThereIsNone() {
    try (DataDirectory directory = open()) {
      assertThat(directory.label().disk().value()).isNotZero();
      assertThat(directory.label().grid()).isNull();
      assertThat(directory.label().shards()).isEqualTo(SHARDS);
      assertThat(directory.label().storageMade()).isFalse();
    }
  }

  @Test
  void theLabelIsKept() throws IOException {
    UUID grid = UUID.randomUUID();
    DiskLabel label;
    try (DataDirectory directory = open()) {
      Files.createDirectory(directory.engine());
      directory.joins(grid);
      directory.makeLog();
      directory.logBegan(4);
      label = directory.label();
    }
    assertThat(label.grid()).isEqualTo(grid);
    assertThat(label.storageMade()).isTrue();
    assertThat(label.newestLog()).isEqualTo(4);
    try (DataDirectory directory = open()) {
      assertThat(directory.label()).isEqualTo(label);
    }
  }

  @Test
  void whatANodeLeavesForGoodIsDropped() throws IOException {
    DiskLabel label;
    try (DataDirectory directory = open()) {
      Files.createDirectory(directory.engine());
      Files.writeString(directory.engine().resolve("data"), "x");
      directory.joins(UUID.randomUUID());
      directory.makeLog();
      directory.logBegan(4);
      directory.keepMembers("n1 a");
      directory.keepLosses(new byte[] {1});
      label = directory.label();
      directory.hasLeft();
    }
    DataDirectory.check(path, SHARDS + 1, Durability.ASYNC);
    assertThatThrownBy(() -> DataDirectory.openToLook(path)).hasMessageContaining("has left");
    try (DataDirectory directory = open()) {
      assertThat(directory.label().disk()).isNotEqualTo(label.disk());
      assertThat(directory.label().grid()).isNull();
      assertThat(directory.label().storageMade()).isFalse();
      assertThat(directory.engine()).doesNotExist();
      assertThat(directory.log()).doesNotExist();
      assertThat(directory.members()).isEmpty();
      assertThat(directory.losses()).isEmpty();
      directory.joins(UUID.randomUUID());
      label = directory.label();
    }
    try (DataDirectory directory = open()) {
      assertThat(directory.label()).isEqualTo(label);
    }
  }

  @Test
  void aDropThatWasInterruptedIsDoneAgain() throws IOException {
    try (DataDirectory directory = open()) {
      Files.createDirectory(directory.engine());
      directory.makeLog();
      directory.logBegan(4);
      directory.hasLeft();
    }
    Files.delete(path.resolve("CANOPY"));
    try (DataDirectory directory = open()) {
      assertThat(directory.engine()).doesNotExist();
      assertThat(directory.label().storageMade()).isFalse();
    }
  }

  @Test
  void theNamesOfMembersAreKept() {
    DataDirectory closed;
    try (DataDirectory directory = open()) {
      closed = directory;
      assertThat(directory.members()).isEmpty();
      directory.keepMembers("n1 a");
      directory.keepMembers("n1 b");
    }
    closed.keepMembers("after the close");
    try (DataDirectory directory = open()) {
      assertThat(directory.members()).isEqualTo("n1 b");
    }
  }

  @Test
  void twoDirectoriesHaveTwoIds() {
    try (DataDirectory one = open();
        DataDirectory other =
            DataDirectory.open(temporary.resolve("other"), SHARDS, Durability.ASYNC)) {
      assertThat(one.label().disk()).isNotEqualTo(other.label().disk());
    }
  }

  @Test
  void aFreshFileSystemAndAnInterruptedBeginningCountAsEmpty() throws IOException {
    Files.createDirectories(path.resolve("lost+found"));
    Files.writeString(path.resolve("CANOPY.new"), "CAN");
    Files.writeString(path.resolve("LOCK"), "");
    try (DataDirectory directory = open()) {
      assertThat(Files.exists(path.resolve("CANOPY"))).isTrue();
      assertThat(directory.label().shards()).isEqualTo(SHARDS);
    }
  }

  @Test
  void anEngineIsRemovedAsLongAsItIsNotMade() throws IOException {
    try (DataDirectory directory = open()) {
      Files.createDirectories(directory.engine().resolve("half"));
    }
    try (DataDirectory directory = open()) {
      directory.removeStorage();
      assertThat(directory.engine()).doesNotExist();
      directory.makeLog();
      directory.logBegan(4);
      assertThatThrownBy(directory::removeStorage).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void theNewestLogCounts() throws IOException {
    try (DataDirectory directory = open()) {
      Files.createDirectory(directory.engine());
      directory.makeLog();
      directory.logBegan(7);
      directory.logBegan(5);
      assertThat(directory.label().newestLog()).isEqualTo(7);
    }
    try (DataDirectory directory = open()) {
      assertThat(directory.label().newestLog()).isEqualTo(7);
    }
  }

  @Test
  void durabilityIsRaisedByJoiningAndNotLowered() {
    UUID grid = UUID.randomUUID();
    try (DataDirectory directory = open()) {
      directory.joins(grid);
    }
    DataDirectory.open(path, SHARDS, Durability.FSYNC).close();
    try (DataDirectory directory = open()) {
      assertThat(directory.label().durability()).isEqualTo(Durability.ASYNC);
    }
    try (DataDirectory directory = DataDirectory.open(path, SHARDS, Durability.FSYNC)) {
      directory.joins(grid);
      assertThat(directory.label().durability()).isEqualTo(Durability.FSYNC);
    }
    refused(Reason.FOREIGN).hasMessageContaining("durability FSYNC");
  }

  @Test
  void anEmptyDirectoryIsOfAnyDurability() {
    DataDirectory.open(path, SHARDS, Durability.FSYNC).close();
    try (DataDirectory directory = open()) {
      assertThat(directory.label().durability()).isEqualTo(Durability.ASYNC);
    }
  }

  @Test
  void aDirectoryWithSomethingElseIsForeign() throws IOException {
    Files.createDirectories(path);
    Files.writeString(path.resolve("letter.txt"), "text");
    refused(Reason.FOREIGN).hasMessageContaining("letter.txt");
    assertThat(path.resolve("CANOPY")).doesNotExist();
  }

  @Test
  void dataOfAnotherGridIsForeign() {
    UUID grid = UUID.randomUUID();
    try (DataDirectory directory = open()) {
      directory.joins(grid);
      directory.joins(grid);
      assertThatThrownBy(() -> directory.joins(UUID.randomUUID()))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FOREIGN))
          .hasMessageContaining(grid.toString());
    }
    assertThatThrownBy(() -> DataDirectory.open(path, SHARDS + 1, Durability.ASYNC))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FOREIGN))
        .hasMessageContaining("8 shards");
  }

  @Test
  void anotherFormatIsRefusedAndNamed() throws IOException {
    open().close();
    writeFormat(7);
    refused(Reason.OTHER_FORMAT).hasMessageContaining("has format 7");
  }

  /** The releases that wrote them would not understand what this one adds. */
  @Test
  void theFormatsBeforeAreReadAndWrittenAnew() throws IOException {
    try (DataDirectory directory = open()) {
      directory.joins(UUID.randomUUID());
    }
    byte[] label = Files.readAllBytes(path.resolve("CANOPY"));
    for (int before = 2; before <= 3; before++) {
      writeFormat(before);
      assertThat(Files.readAllBytes(path.resolve("CANOPY"))).isNotEqualTo(label);
      open().close();
      assertThat(Files.readAllBytes(path.resolve("CANOPY"))).isEqualTo(label);
    }
    writeFormat(1);
    refused(Reason.OTHER_FORMAT).hasMessageContaining("has format 1");
  }

  private void writeFormat(int format) throws IOException {
    byte[] label = Files.readAllBytes(path.resolve("CANOPY"));
    ByteBuffer block = ByteBuffer.wrap(Arrays.copyOf(label, label.length / 2));
    block.putInt(8, format);
    CRC32C crc = new CRC32C();
    crc.update(block.array(), 0, block.capacity() - 4);
    block.putInt(block.capacity() - 4, (int) crc.getValue());
    Files.write(
        path.resolve("CANOPY"),
        ByteBuffer.allocate(label.length).put(block.array()).put(block.array()).array());
  }

  /** Each byte of the label, one after the other: the other block has it still. */
  @Test
  void oneDamagedBlockIsRepaired() throws IOException {
    open().close();
    Path file = path.resolve("CANOPY");
    byte[] label = Files.readAllBytes(file);
    for (int i = 0; i < label.length; i++) {
      byte[] damaged = label.clone();
      damaged[i] ^= 1;
      Files.write(file, damaged);
      open().close();
      assertThat(Files.readAllBytes(file)).as("byte %d", i).isEqualTo(label);
    }
  }

  @Test
  void aLabelWithTwoDamagedBlocksIsRefused() throws IOException {
    open().close();
    Path file = path.resolve("CANOPY");
    byte[] label = Files.readAllBytes(file);
    byte[] damaged = label.clone();
    damaged[10] ^= 1;
    damaged[label.length - 10] ^= 1;
    Files.write(file, damaged);
    refused(Reason.DAMAGED).hasMessageContaining("CANOPY");
    Files.write(file, new byte[0]);
    refused(Reason.DAMAGED).hasMessageContaining("CANOPY");
  }

  @Test
  void anEngineWithoutALabelIsDamaged() throws IOException {
    Files.createDirectories(path.resolve("engine"));
    refused(Reason.DAMAGED).hasMessageContaining("lacks its file CANOPY");
  }

  @Test
  void aLabelWithoutItsEngineIsDamaged() {
    try (DataDirectory directory = open()) {
      directory.makeLog();
      directory.logBegan(4);
    }
    refused(Reason.DAMAGED).hasMessageContaining("lacks its directory engine");
  }

  @Test
  void aPathThroughAFileIsNotAccessible() throws IOException {
    Files.writeString(temporary.resolve("canopy"), "a file");
    refused(Reason.NOT_ACCESSIBLE);
  }

  @Test
  void aDirectoryWithoutRightsIsNotAccessible() throws IOException {
    Files.createDirectories(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
    assumeFalse(Files.isWritable(path), "the user may write everywhere");
    refused(Reason.NOT_ACCESSIBLE);
  }

  @Test
  void aDirectoryIsOpenOnceInAProcess() {
    DataDirectory directory = open();
    refused(Reason.IN_USE).hasMessageContaining("this process");
    directory.close();
    directory.close();
    open().close();
  }

  @Test
  void aDirectoryIsOpenInOneProcess() throws IOException, InterruptedException {
    Process other = user().redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader out = other.inputReader(StandardCharsets.UTF_8)) {
      String disk = out.readLine();
      refused(Reason.IN_USE).hasMessageContaining("process " + other.pid());
      refused(Reason.IN_USE).hasMessageContaining("process " + other.pid());
      other.destroyForcibly().waitFor();
      try (DataDirectory directory = open()) {
        assertThat(directory.label().disk()).hasToString(disk);
      }
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void aLookMakesAndChangesNothing() throws IOException {
    check();
    assertThat(temporary).isEmptyDirectory();
    Files.createDirectories(path);
    check();
    assertThat(path).isEmptyDirectory();
    open().close();
    Path file = path.resolve("CANOPY");
    byte[] damaged = Files.readAllBytes(file);
    damaged[10] ^= 1;
    Files.write(file, damaged);
    Files.delete(path.resolve("LOCK"));
    check();
    DataDirectory.check(path, SHARDS, Durability.FSYNC);
    assertThat(file).hasBinaryContent(damaged);
    assertThat(path.resolve("LOCK")).doesNotExist();
  }

  @Test
  void aLookWantsWhatOpeningWants() {
    try (DataDirectory directory = DataDirectory.open(path, SHARDS, Durability.FSYNC)) {
      directory.joins(UUID.randomUUID());
      assertThat(directory.label().durability()).isEqualTo(Durability.FSYNC);
    }
    assertRefused(Reason.FOREIGN, () -> DataDirectory.check(path, SHARDS + 1, Durability.FSYNC))
        .hasMessageContaining("8 shards");
    assertRefused(Reason.FOREIGN, this::check).hasMessageContaining("durability FSYNC");
  }

  /** POSIX gives up a lock when its process closes any channel to the file. */
  @Test
  void aLookLeavesTheLockToTheNode() throws IOException, InterruptedException {
    try (DataDirectory directory = open()) {
      assertRefused(Reason.IN_USE, this::check).hasMessageContaining("this process");
      Process other = user().redirectErrorStream(true).start();
      try (BufferedReader out = other.inputReader(StandardCharsets.UTF_8)) {
        assertThat(out.readLine())
            .doesNotStartWith(directory.label().disk().toString())
            .contains("in use by process");
        assertThat(other.waitFor()).isNotZero();
      } finally {
        other.destroyForcibly();
      }
    }
  }

  private ProcessBuilder user() {
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        DirectoryUser.class.getName(),
        path.toString());
  }

  private void check() {
    DataDirectory.check(path, SHARDS, Durability.ASYNC);
  }

  private DataDirectory open() {
    return DataDirectory.open(path, SHARDS, Durability.ASYNC);
  }

  /** Opening it fails, and says why and which directory. A look at it says the same. */
  private AbstractThrowableAssert<?, ? extends Throwable> refused(Reason reason) {
    assertRefused(reason, this::check);
    return assertRefused(reason, this::open);
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      Reason reason, ThrowingCallable use) {
    return assertThatThrownBy(use)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(path.toString());
  }
}
