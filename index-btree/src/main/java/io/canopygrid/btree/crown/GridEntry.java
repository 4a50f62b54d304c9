package io.canopygrid.btree.crown;

import io.canopygrid.GridId;
import io.canopygrid.GridInfo;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReservedKcl;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * The entry of TOP that says which grid this is: 16 bytes of id, and the time of founding in
 * milliseconds since 1970.
 */
public final class GridEntry {
  /** The only key. */
  public static final CompositeKey KEY = ReservedKcl.GRID.key(new byte[] {1});

  private static final int BYTES = 3 * Long.BYTES;

  private GridEntry() {}

  /** The value that says this. */
  public static byte[] encode(GridInfo grid) {
    return ByteBuffer.allocate(BYTES)
        .putLong(grid.id().high())
        .putLong(grid.id().low())
        .putLong(grid.founded().toEpochMilli())
        .array();
  }

  /** What a value says. */
  public static GridInfo decode(byte[] value) {
    Invariant.holds(value.length == BYTES, "the grid's entry has %s bytes", value.length);
    ByteBuffer in = ByteBuffer.wrap(value);
    GridId id = new GridId(in.getLong(), in.getLong());
    return new GridInfo(id, Instant.ofEpochMilli(in.getLong()));
  }
}
