package io.canopygrid.gmu.storage.engine;

import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the engine on the class path that Canopy itself is on. */
final class StorageEngines {
  private StorageEngines() {}

  /**
   * The only engine.
   *
   * @throws StorageException {@link Reason#NO_ENGINE}: there is none, or more than one, or it
   *     cannot be loaded
   */
  static StorageEngine find() {
    return find(StorageEngines.class.getClassLoader());
  }

  static StorageEngine find(ClassLoader loader) {
    try {
      List<StorageEngine> engines =
          ServiceLoader.load(StorageEngine.class, loader).stream()
              .map(ServiceLoader.Provider::get)
              .toList();
      if (engines.isEmpty()) {
        throw noEngine(
            "a data directory is set, and no engine is on the class path: add"
                + " io.canopygrid:canopy-storage-rocksdb to it, or set no data directory to keep"
                + " data in memory only",
            null);
      }
      if (engines.size() > 1) {
        String names =
            engines.stream()
                .map(engine -> engine.name() + " (" + engine.getClass().getName() + ")")
                .sorted()
                .collect(Collectors.joining(", "));
        throw noEngine("more than one engine is on the class path, leave one: " + names, null);
      }
      return engines.get(0);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw notLoaded(e);
    }
  }

  /** An engine is there, and lacks something. */
  static StorageException notLoaded(Throwable cause) {
    return noEngine(
        "the engine of the data directory cannot be loaded ("
            + cause
            + "): put all that io.canopygrid:canopy-storage-rocksdb depends on on the class path",
        cause);
  }

  private static StorageException noEngine(String message, @Nullable Throwable cause) {
    return new StorageException(Reason.NO_ENGINE, message, cause);
  }
}
