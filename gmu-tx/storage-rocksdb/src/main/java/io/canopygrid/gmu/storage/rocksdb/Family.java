package io.canopygrid.gmu.storage.rocksdb;

import java.nio.charset.StandardCharsets;

/** A family of the engine's keys: they share files. All families share the write-ahead log. */
enum Family {
  /** The versions of all shards. */
  DATA("data"),
  /** The commits that shards have applied. */
  LOG("log"),
  /** Prepared transactions and decisions. */
  TX("tx"),
  /** Everything there is one of: of the node, and of each copy. */
  FACTS("facts");

  private final String label;

  Family(String label) {
    this.label = label;
  }

  /** The family's name on the disk. */
  byte[] bytes() {
    return label.getBytes(StandardCharsets.US_ASCII);
  }
}
