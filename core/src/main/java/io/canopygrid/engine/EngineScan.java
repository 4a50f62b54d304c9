package io.canopygrid.engine;

/** The entries of a range in one direction. Confined to the transaction's thread. */
public interface EngineScan {
  /** Steps to the next entry; false at the end. */
  boolean advance();

  /** The key of the entry it stands on. */
  byte[] key();

  /** The value of the entry it stands on. */
  byte[] value();

  /** Frees what it holds before its end; does nothing after that. */
  void close();
}
