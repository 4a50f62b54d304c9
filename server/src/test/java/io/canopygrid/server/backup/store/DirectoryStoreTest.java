package io.canopygrid.server.backup.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blobs in a directory, and what is told of one that cannot be used. */
final class DirectoryStoreTest {
  @TempDir private Path directory;

  private BlobStore store() {
    return BlobStores.open(directory.resolve("a").toString());
  }

  @Test
  void keepsBlobs() throws IOException {
    BlobStore store = store();
    assertThat(store.folders()).isEmpty();
    assertThat(store.list("one")).isEmpty();
    assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.get("one/x"));
    store.put("one/data/x", new byte[100]);
    store.put("one/data/x", new byte[0]);
    store.put("one/y", new byte[] {1});
    assertThat(store.get("one/data/x")).isEmpty();
    assertThat(store.list("one")).containsExactly("one/data/x", "one/y");
    assertThat(store.folders()).containsExactly("one");
    store.delete("one/data/x");
    assertThat(directory.resolve("a/one/data")).doesNotExist();
    store.delete("one/data/x");
    store.delete("one/y");
    assertThat(store.folders()).isEmpty();
  }

  @Test
  void oneOfManyPutsABlobThatIsAbsent() throws IOException {
    BlobStore store = store();
    long first =
        IntStream.range(0, 8)
            .mapToObj(i ->
                CompletableFuture.supplyAsync(() -> {
                  try {
                    return store.putIfAbsent("two/plan", new byte[] {(byte) i});
                  } catch (IOException e) {
                    throw new CompletionException(e);
                  }
                }))
            .toList()
            .stream()
            .filter(CompletableFuture::join)
            .count();
    assertThat(first).isEqualTo(1);
    assertThat(store.list("two")).containsExactly("two/plan");
  }

  @Test
  void whatAnInterruptedWriteLeavesIsNoBlob() throws IOException {
    BlobStore store = store();
    store.put("one/y", new byte[] {1});
    Files.write(directory.resolve("a/one/.part-1-1"), new byte[7]);
    assertThat(store.list("one")).containsExactly("one/y");
    store.delete("one/y");
    assertThat(store.folders()).isEmpty();
  }

  @Test
  void failuresAreCoded() {
    BlobStore store = store();
    FileSystemException full = new FileSystemException("f", null, "No space left on device");
    assertThat(StoreFailures.coded(store, full).code()).isEqualTo(ErrorCode.DISK_FULL);
    assertThat(StoreFailures.coded(store, new IOException("gone")))
        .hasMessageContaining(ErrorCode.BACKUP_STORE_FAILED.id())
        .hasMessageContaining(directory.resolve("a") + ": IOException: gone");
  }
}
