package io.canopygrid.gmu.storage.engine;

import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.directory.DataDirectory;

/**
 * Keeps the data of a node in its data directory. A module that brings an engine names its class,
 * which is public and has a public constructor without parameters, in {@code
 * META-INF/services/io.canopygrid.gmu.storage.engine.StorageEngine}. The constructor loads nothing
 * and opens nothing. Thread-safe.
 */
public interface StorageEngine {
  /** The name in messages: {@code RocksDB}. */
  String name();

  /**
   * Opens what the engine has in a directory, or begins with nothing where it has never been there.
   * The storage closes the directory when it is closed. This method closes it where it throws a
   * {@link RuntimeException}.
   *
   * @throws StorageException it cannot be opened; the message names the directory and says what can
   *     be done
   */
  Storage open(DataDirectory directory);

  /**
   * Reads all that the engine has in a directory, and changes nothing. The directory stays open.
   *
   * @throws StorageException it cannot be opened; {@code DAMAGED} where it is so damaged that
   *     nothing can be read
   */
  DiskReport verify(DataDirectory directory);
}
