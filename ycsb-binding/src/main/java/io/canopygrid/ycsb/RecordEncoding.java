package io.canopygrid.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * Encodes a record as one array of bytes. Each field is the length of its name (one byte), the name
 * in UTF-8, the length of its value (four bytes) and the value.
 */
final class RecordEncoding {
  private static final int NAME_BYTES_MAX = 255;
  private static final int LENGTHS_BYTES = 1 + Integer.BYTES;

  private RecordEncoding() {}

  /**
   * Drains YCSB's values, which can be read only once, so that a transaction that is run again can
   * use them again.
   *
   * @throws IllegalArgumentException if the name of a field takes more than 255 bytes
   */
  static Map<String, byte[]> drain(Map<String, ByteIterator> values) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    values.forEach((name, value) -> {
      if (name.getBytes(UTF_8).length > NAME_BYTES_MAX) {
        throw new IllegalArgumentException(
            "the name of a field takes at most " + NAME_BYTES_MAX + " bytes: " + name);
      }
      fields.put(name, value.toArray());
    });
    return fields;
  }

  /** The record of these fields, in the map's order. */
  static byte[] encode(Map<String, byte[]> fields) {
    int size = 0;
    for (Map.Entry<String, byte[]> field : fields.entrySet()) {
      size += LENGTHS_BYTES + field.getKey().getBytes(UTF_8).length + field.getValue().length;
    }
    ByteBuffer record = ByteBuffer.allocate(size);
    fields.forEach((name, value) -> {
      byte[] nameBytes = name.getBytes(UTF_8);
      record.put((byte) nameBytes.length).put(nameBytes);
      record.putInt(value.length).put(value);
    });
    return record.array();
  }

  /** Adds the wanted fields of a record to the result; {@code wanted} null: all. */
  static void decode(
      byte[] record, @Nullable Set<String> wanted, Map<String, ByteIterator> result) {
    for (ByteBuffer rest = ByteBuffer.wrap(record); rest.hasRemaining(); ) {
      String name = takeName(rest);
      int length = rest.getInt();
      if (wanted == null || wanted.contains(name)) {
        result.put(name, new ByteArrayByteIterator(record, rest.position(), length));
      }
      rest.position(rest.position() + length);
    }
  }

  /** A new record with these fields replaced or added. */
  static byte[] update(byte[] record, Map<String, byte[]> changes) {
    byte[] patched = record.clone();
    int found = 0;
    for (ByteBuffer rest = ByteBuffer.wrap(record); rest.hasRemaining(); ) {
      byte @Nullable [] change = changes.get(takeName(rest));
      int length = rest.getInt();
      if (change != null) {
        if (change.length != length) {
          return rebuild(record, changes);
        }
        System.arraycopy(change, 0, patched, rest.position(), length);
        found++;
      }
      rest.position(rest.position() + length);
    }
    return found == changes.size() ? patched : rebuild(record, changes);
  }

  /** The general case of an update: lengths change or fields are new. */
  private static byte[] rebuild(byte[] record, Map<String, byte[]> changes) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    for (ByteBuffer rest = ByteBuffer.wrap(record); rest.hasRemaining(); ) {
      String name = takeName(rest);
      byte[] value = new byte[rest.getInt()];
      rest.get(value);
      fields.put(name, value);
    }
    fields.putAll(changes);
    return encode(fields);
  }

  private static String takeName(ByteBuffer rest) {
    int length = Byte.toUnsignedInt(rest.get());
    byte[] name = new byte[length];
    rest.get(name);
    return new String(name, UTF_8);
  }
}
