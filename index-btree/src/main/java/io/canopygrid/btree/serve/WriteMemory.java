package io.canopygrid.btree.serve;

/**
 * The memory of a server for what open transactions have written and not committed; all of them
 * take their share of it. Thread-safe.
 */
public interface WriteMemory {
  /** Memory without a limit. */
  WriteMemory UNLIMITED =
      new WriteMemory() {
        @Override
        public boolean take(long bytes) {
          return true;
        }

        @Override
        public void free(long bytes) {}

        @Override
        public long held() {
          return 0;
        }
      };

  /** Takes some bytes; false: there are not so many left, and none is taken. */
  boolean take(long bytes);

  /** Gives back bytes that were taken. */
  void free(long bytes);

  /** The number of bytes that are taken. */
  long held();
}
