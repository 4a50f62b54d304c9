package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Durability;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import io.canopygrid.gmu.storage.engine.OpenDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With this module on the class path a node's disk is opened with RocksDB. */
final class RocksStorageEngineTest {
  private static final int SHARDS = 8;

  @TempDir Path temporary;

  @Test
  void theEngineIsFoundAndKeepsWhatIsWritten() {
    Path path = temporary.resolve("data");
    NodeId user = new NodeId(7);
    try (OpenDisk disk = OpenDisk.open(path, SHARDS, Durability.FSYNC)) {
      assertThat(disk.storage()).isInstanceOf(RocksStorage.class);
      assertThat(disk.directory().path()).isEqualTo(path);
      disk.storage().write(List.of(new Storage.Batch(1, List.of(new StorageChange.PutUser(user)))));
    }
    OpenDisk.check(path, SHARDS, Durability.FSYNC);
    try (OpenDisk disk = OpenDisk.open(path, SHARDS, Durability.FSYNC)) {
      assertThat(disk.storage().recovered().users()).containsExactly(user);
      assertThatThrownBy(() -> OpenDisk.check(path, SHARDS, Durability.FSYNC))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE));
    }
  }

  @Test
  void whereTheEngineCannotBeOpenedTheDirectoryIsFreeAgain() throws IOException {
    Path path = temporary.resolve("data");
    OpenDisk.open(path, SHARDS, Durability.ASYNC).close();
    Files.delete(path.resolve("engine").resolve("CURRENT"));
    assertThatThrownBy(() -> OpenDisk.open(path, SHARDS, Durability.ASYNC))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));
    try (DataDirectory free = DataDirectory.open(path, SHARDS, Durability.ASYNC)) {
      assertThat(free.label().storageMade()).isTrue();
    }
  }
}
