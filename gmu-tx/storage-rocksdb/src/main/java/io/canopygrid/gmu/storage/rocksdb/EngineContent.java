package io.canopygrid.gmu.storage.rocksdb;

import org.rocksdb.RocksDBException;

/** The entries of the engine, now or at one moment. */
interface EngineContent {
  /** An entry of the engine; not to be kept. */
  interface EntryReader {
    void read(byte[] key, byte[] value);
  }

  /** Reads the entries from a key on, up to another one, in order. */
  void read(Family family, byte[] from, byte[] to, EntryReader reader) throws RocksDBException;
}
