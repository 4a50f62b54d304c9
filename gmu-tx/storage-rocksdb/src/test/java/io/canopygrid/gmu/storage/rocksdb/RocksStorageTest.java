package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Durability;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** The storage in RocksDB keeps to what any storage does. */
final class RocksStorageTest extends StorageContract {
  @TempDir Path temporary;

  @Override
  Storage open() {
    return TestEngine.open(temporary.resolve("data"));
  }

  @Override
  Storage reopen(Storage open) {
    open.close();
    return open();
  }

  @Test
  void theDirectoryIsLockedUntilItIsClosed() {
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE));
  }

  @Test
  void anEngineThatWasNotMadeToItsEndIsMadeAgain() throws RocksDBException {
    Path path = temporary.resolve("begun");
    EngineFailures failures = new EngineFailures(path);
    try (DataDirectory directory = DataDirectory.open(path, TestEngine.SHARDS, Durability.ASYNC)) {
      RocksEngine.open(directory.engine(), EngineLimits.DEFAULT, true, failures).close();
      assertThat(directory.label().storageMade()).isFalse();
    }
    try (Storage storage = TestEngine.open(path)) {
      assertThat(storage.openedAt()).isZero();
    }
  }

  @Test
  void afterAChangeThatCannotFollowItTakesNothing() {
    try (Storage storage = TestEngine.open(temporary.resolve("other"))) {
      TxId tid = new TxId(new NodeId(1), 1);
      StorageChange ofNoCopy = new StorageChange.DropVersion(1, CompositeKey.header(1), 1, tid);
      assertThatThrownBy(() -> storage.write(List.of(new Storage.Batch(1, List.of(ofNoCopy)))))
          .isInstanceOf(InvariantViolation.class);
      assertThatThrownBy(() -> storage.write(List.of(new Storage.Batch(1, List.of()))))
          .isInstanceOf(StorageException.class);
      assertThatThrownBy(storage::force).isInstanceOf(StorageException.class);
    }
    try (Storage storage = TestEngine.open(temporary.resolve("other"))) {
      assertThat(storage.openedAt()).isZero();
    }
  }

  /** The log goes on in other segments meanwhile, which forces files and directories. */
  @Test
  void aThreadThatIsInterruptedWritesAllTheSame() throws IOException {
    Path path = temporary.resolve("interrupted");
    ChangeGenerator generator = new ChangeGenerator(1);
    try (Storage storage = TestEngine.open(path)) {
      String first = DirectoryContent.segments(path).get(0).toString();
      while (DirectoryContent.segments(path).contains(Path.of(first))) {
        List<StorageChange> changes = generator.next();
        Thread.currentThread().interrupt();
        storage.write(List.of(new Storage.Batch(generator.position(), changes)));
        storage.force();
      }
      assertThat(Thread.interrupted()).isTrue();
      Thread.currentThread().interrupt();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    try (Storage storage = TestEngine.open(path)) {
      assertThat(storage.openedAt()).isEqualTo(generator.position());
    }
  }
}
