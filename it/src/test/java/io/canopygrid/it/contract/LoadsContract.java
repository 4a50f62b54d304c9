package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Loader;
import io.canopygrid.TransactionOptions;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Loads of sorted entries. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class LoadsContract extends Theme {
  private final IndexOptions options = IndexOptions.DEFAULTS.withSubtreeEntriesMax(128);
  private final Index<Long, String> numbers =
      db.index(name + "-loaded", Codec.int64(), Codec.string(), options);

  LoadsContract(ContractGrid grid) {
    super(grid);
  }

  private long countThere() {
    Index<Long, String> there = other.index(numbers.name(), Codec.int64(), Codec.string(), options);
    return other.<Long, RuntimeException>read(
        TransactionOptions.DEFAULTS.withAfter(db.token()), tx -> tx.on(there).count());
  }

  @Test
  void whatIsFlushedIsThereForAll() {
    try (Loader<Long, String> loader = db.loader(numbers)) {
      for (long key = 0; key < 5_000; key++) {
        loader.add(key, "v" + key);
      }
      loader.flush();
      assertThat(loader.committed()).isEqualTo(5_000);
      assertThat(countThere()).isEqualTo(5_000);
      loader.add(7_000L, "x".repeat(2 << 20));
      loader.add(7_001L, "small");
      loader.flush();
      assertThat(countThere()).isEqualTo(5_002);
    }
  }

  @Test
  void whatIsThereIsNeverOverwritten() {
    db.run(tx -> tx.on(numbers).put(2_500L, "old"));
    Loader<Long, String> loader = db.loader(numbers);
    for (long key = 0; key < 5_000; key++) {
      loader.add(key, "new");
    }
    refused(ErrorCode.KEY_EXISTS, loader::flush);
    assertThat(loader.committed()).isZero();
    refused(ErrorCode.INVALID_ARGUMENT, () -> loader.add(9_999L, "later"));
    loader.close();
    assertThat(countThere()).isEqualTo(1);
  }

  @Test
  void keysAscend() {
    try (Loader<Long, String> loader = db.loader(numbers)) {
      loader.add(2L, "b");
      refused(ErrorCode.INVALID_ARGUMENT, () -> loader.add(1L, "a"));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> loader.add(null, "a"));
    }
    refused(ErrorCode.FOREIGN_INDEX, () -> other.loader(numbers));
  }
}
