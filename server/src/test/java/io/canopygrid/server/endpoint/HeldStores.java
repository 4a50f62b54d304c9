package io.canopygrid.server.endpoint;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.backup.store.BlobStore;
import io.canopygrid.server.backup.store.BlobStoreProvider;
import io.canopygrid.server.backup.store.BlobStores;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Stores {@code held://} are directories that take and give so many files of entries as they are
 * allowed to, and then let their callers wait.
 */
public final class HeldStores implements BlobStoreProvider {
  private static final int ANY = 1_000_000;
  private static final Semaphore FILES = new Semaphore(ANY);

  /** Found by the commands. */
  public HeldStores() {}

  /** From now on so many files go through. */
  static void allow(int files) {
    FILES.drainPermits();
    FILES.release(files);
  }

  /** From now on all do. */
  static void allowAll() {
    allow(ANY);
  }

  @Override
  public Optional<BlobStore> open(URI location) {
    return location.getScheme().equals("held")
        ? Optional.of(new HeldStore(BlobStores.open(location.getPath())))
        : Optional.empty();
  }

  private record HeldStore(BlobStore store) implements BlobStore {
    private static void pass(String name) {
      if (name.endsWith(".json") || name.contains("/done/")) {
        return;
      }
      try {
        FILES.acquire();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted while a file waits", e);
      }
    }

    @Override
    public void put(String name, byte[] content) throws IOException {
      pass(name);
      store.put(name, content);
    }

    @Override
    public boolean putIfAbsent(String name, byte[] content) throws IOException {
      return store.putIfAbsent(name, content);
    }

    @Override
    public byte[] get(String name) throws IOException {
      pass(name);
      return store.get(name);
    }

    @Override
    public List<String> list(String folder) throws IOException {
      return store.list(folder);
    }

    @Override
    public List<String> folders() throws IOException {
      return store.folders();
    }

    @Override
    public void delete(String name) throws IOException {
      store.delete(name);
    }

    @Override
    public String describe() {
      return store.describe();
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
