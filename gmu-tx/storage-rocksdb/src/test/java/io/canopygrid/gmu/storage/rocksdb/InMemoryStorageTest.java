package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.memory.InMemoryStorage;
import io.canopygrid.gmu.storage.Storage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The storage in memory keeps to what any storage does. */
final class InMemoryStorageTest extends StorageContract {
  @Override
  Storage open() {
    return new InMemoryStorage();
  }

  @Override
  Storage reopen(Storage open) {
    open.close();
    return ((InMemoryStorage) open).reopened();
  }

  @Test
  void itKnowsWhatWasForced() {
    try (InMemoryStorage storage = new InMemoryStorage()) {
      storage.write(List.of(new Storage.Batch(3, List.of())));
      storage.force();
      storage.write(List.of(new Storage.Batch(4, List.of())));
      assertThat(storage.forced()).isEqualTo(3);
    }
  }
}
