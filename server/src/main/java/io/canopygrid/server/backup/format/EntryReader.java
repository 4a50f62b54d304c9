package io.canopygrid.server.backup.format;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.MalformedBytesException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Reads the entries of a file, and checks all that is known of it. */
public final class EntryReader {
  /** No file has more: one is full at 64 MiB, and short keys and values take more with lengths. */
  private static final int BYTES_MAX = 256 << 20;

  private EntryReader() {}

  /** Takes the entries, in the order of their keys. */
  public interface Sink {
    /** An entry; the arrays are the sink's. */
    void put(byte[] key, byte[] value);
  }

  /**
   * Reads a file. Nothing reaches the sink of a file whose checksum is wrong.
   *
   * @param file what the manifest says of it
   * @throws CanopyException {@link ErrorCode#BACKUP_DAMAGED}
   */
  public static void read(BackupFile file, byte[] stored, Sink sink) {
    if (stored.length != file.size()) {
      throw damaged(file, "it has " + stored.length + " bytes, not " + file.size(), null);
    }
    if (!Sha256.of(stored).equals(file.sha256())) {
      throw damaged(file, "its bytes are not those that were written", null);
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(stored), 1 << 16)) {
      byte[] bytes = in.readNBytes(BYTES_MAX);
      entries(file, new ByteReader(bytes), sink);
    } catch (IOException | MalformedBytesException e) {
      throw damaged(file, String.valueOf(e.getMessage()), e);
    }
  }

  private static void entries(BackupFile file, ByteReader in, Sink sink) {
    if (in.readLong() != EntryWriter.MAGIC || in.readInt() != BackupDocument.FORMAT) {
      throw new MalformedBytesException("it does not begin as a file of entries does");
    }
    byte[] before = null;
    long entries = 0;
    long bytes = 0;
    for (int kind = in.readByte(); kind != EntryWriter.END; kind = in.readByte()) {
      if (kind != EntryWriter.PUT) {
        throw new MalformedBytesException("an entry of kind " + kind);
      }
      byte[] key = in.readBytes();
      byte[] value = in.readBytes();
      check(before, key, value);
      before = key;
      entries++;
      bytes += key.length + value.length;
      sink.put(key, value);
    }
    if (in.readVarLong() != entries || entries != file.entries() || bytes != file.bytes()) {
      throw new MalformedBytesException("it has " + entries + " entries, not " + file.entries());
    }
    in.end();
  }

  private static void check(byte @Nullable [] before, byte[] key, byte[] value) {
    if (before != null && Arrays.compareUnsigned(before, key) >= 0) {
      throw new MalformedBytesException("a key is not above the one before");
    }
    if (key.length > Limits.KEY_BYTES_MAX || value.length > Limits.VALUE_BYTES_MAX) {
      throw new MalformedBytesException("an entry is larger than any");
    }
  }

  private static CanopyException damaged(BackupFile file, String what, @Nullable Throwable cause) {
    return new CanopyException(ErrorCode.BACKUP_DAMAGED, file.name() + ": " + what, cause);
  }
}
