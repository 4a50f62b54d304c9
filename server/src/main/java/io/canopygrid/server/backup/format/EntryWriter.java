package io.canopygrid.server.backup.format;

import io.canopygrid.wire.ByteWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the entries of a file, compressed by gzip: eight bytes {@code CANOPYBK}, four of the
 * format, then for each entry a byte 1 with the key and the value, each after its length; at the
 * end a byte 0 and the number of entries. Confined to one thread.
 */
public final class EntryWriter {
  static final long MAGIC = 0x43414e4f5059424bL; // CANOPYBK
  static final int PUT = 1;
  static final int END = 0;

  /** The most bytes that a kind and two lengths take, rounded up. */
  private static final int AROUND = 16;

  private final ByteArrayOutputStream stored = new ByteArrayOutputStream(1 << 16);
  private final OutputStream out;
  private final int bytesFull;
  private long entries;
  private long bytes;

  /** Prefers speed to size. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, 1 << 16);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /**
   * Begins a file.
   *
   * @param bytesFull the bytes of keys and values after which it is full
   */
  public EntryWriter(int bytesFull) {
    this.bytesFull = bytesFull;
    try {
      out = new FastGzip(stored);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory takes all
    }
    write(new ByteWriter(AROUND).writeLong(MAGIC).writeInt(BackupDocument.FORMAT));
  }

  /** Adds an entry, whose key is above the one before. */
  public void put(byte[] key, byte[] value) {
    write(
        new ByteWriter(key.length + value.length + AROUND)
            .writeByte(PUT)
            .writeBytes(key)
            .writeBytes(value));
    entries++;
    bytes += key.length + value.length;
  }

  private void write(ByteWriter some) {
    try {
      out.write(some.array(), 0, some.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory takes all
    }
  }

  /** The number of entries so far. */
  public long count() {
    return entries;
  }

  /** Whether the file has no entry. */
  public boolean isEmpty() {
    return entries == 0;
  }

  /** Whether the file is full. */
  public boolean isFull() {
    return bytes >= bytesFull;
  }

  /** The bytes of the file, to which nothing is added any more. */
  public byte[] finish() {
    write(new ByteWriter(AROUND).writeByte(END).writeVarLong(entries));
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory takes all
    }
    return stored.toByteArray();
  }

  /** Describes the file of these bytes. */
  public BackupFile describe(String name, byte[] file) {
    return new BackupFile(name, entries, bytes, file.length, Sha256.of(file));
  }
}
