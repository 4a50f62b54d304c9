package io.canopygrid.btree.serve;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;

/**
 * The limits of one transaction's writes: the sizes of keys and values, and of all together.
 * Confined to the transaction's thread.
 */
final class WriteLimits {
  private final String transaction;
  private final long bytesMax;
  private final WriteMemory memory;

  /** Bytes that the transaction has taken of the memory; at most {@link #bytesMax}. */
  private long bytes;

  /**
   * The limits of one transaction.
   *
   * @param transaction its id, for errors
   * @param bytesMax most bytes of keys and values
   * @param memory where the bytes are taken
   */
  WriteLimits(String transaction, long bytesMax, WriteMemory memory) {
    this.transaction = transaction;
    this.bytesMax = bytesMax;
    this.memory = memory;
  }

  /**
   * Checks and counts a write. A removed key counts as well: the server keeps it until the commit.
   *
   * @throws CanopyException {@link ErrorCode#KEY_TOO_LARGE}, {@link ErrorCode#VALUE_TOO_LARGE},
   *     {@link ErrorCode#TRANSACTION_TOO_LARGE}, or {@link ErrorCode#OVERLOADED} where the memory
   *     is used up
   */
  void written(byte[] key, int valueBytes) {
    if (key.length > Limits.KEY_BYTES_MAX) {
      throw error(ErrorCode.KEY_TOO_LARGE, "a key takes " + key.length + " bytes");
    }
    if (valueBytes > Limits.VALUE_BYTES_MAX) {
      throw error(ErrorCode.VALUE_TOO_LARGE, "a value takes " + valueBytes + " bytes");
    }
    long more = key.length + (long) valueBytes;
    if (bytes + more > bytesMax) {
      throw error(
          ErrorCode.TRANSACTION_TOO_LARGE, "it has written more than " + bytesMax + " bytes");
    }
    if (!memory.take(more)) {
      throw error(
          ErrorCode.OVERLOADED,
          "open transactions of all clients have written " + memory.held() + " bytes");
    }
    bytes += more;
  }

  /** Gives back what the transaction has taken; does nothing the second time. */
  void free() {
    memory.free(bytes);
    bytes = 0;
  }

  private CanopyException error(ErrorCode code, String detail) {
    return new CanopyException(code, detail, CommitState.NOT_COMMITTED, transaction, null);
  }
}
