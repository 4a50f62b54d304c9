package io.canopygrid.engine;

/** The entries of a range in one direction. Confined to the transaction's thread. */
public interface EngineScan {
  /** Steps to the next entry; false at the end. */
  boolean advance();

  /** The key of the entry that the scan stands on. */
  byte[] key();

  /** The value of the entry that the scan stands on. */
  byte[] value();

  /** Frees what the scan holds before its end; does nothing after that. */
  void close();
}
