package io.canopygrid.study.tree;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of an operation: of a point operation the entry as it was before, of a scan the
 * entries.
 *
 * @param keys in order
 * @param values one for each key
 */
public record OperationResult(List<byte[]> keys, List<byte[]> values) {
  /** No entry. */
  public static final OperationResult NOTHING = new OperationResult(List.of(), List.of());

  static OperationResult of(byte[] key, byte @Nullable [] value) {
    return value == null ? NOTHING : new OperationResult(List.of(key), List.of(value));
  }

  /** The value of a point operation; null: there was no entry. */
  public byte @Nullable [] value() {
    return values.isEmpty() ? null : values.get(0);
  }

  /** As bytes. */
  public void write(ByteWriter out) {
    out.writeVarLong(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      out.writeBytes(keys.get(i)).writeBytes(values.get(i));
    }
  }

  /** Reads a result from bytes. */
  public static OperationResult read(ByteReader in) {
    int count = in.readCount(in.remaining());
    List<byte[]> keys = new ArrayList<>(count);
    List<byte[]> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(in.readBytes());
      values.add(in.readBytes());
    }
    return new OperationResult(keys, values);
  }
}
