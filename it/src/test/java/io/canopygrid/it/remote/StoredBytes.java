package io.canopygrid.it.remote;

import io.canopygrid.Canopy;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** The entries of an index by their bytes as they are stored. */
final class StoredBytes {
  private StoredBytes() {}

  /** The number of an index's entries, and a digest of all of their bytes. */
  static String digest(Canopy db, TransactionOptions options, Index<byte[], byte[]> index) {
    return db.<String, RuntimeException>read(
        options,
        tx -> {
          MessageDigest digest = sha256();
          long entries = 0;
          try (Cursor<byte[], byte[]> all = tx.on(index).scan(Range.all())) {
            for (Map.Entry<byte[], byte[]> entry : all) {
              entries++;
              update(digest, entry.getKey());
              update(digest, entry.getValue());
            }
          }
          return entries + " " + HexFormat.of().formatHex(digest.digest());
        });
  }

  private static void update(MessageDigest digest, byte[] bytes) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
