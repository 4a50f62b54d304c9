package io.canopygrid.btree.simulation;

import io.canopygrid.IndexState;
import io.canopygrid.wire.ByteReader;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The list of a table's indexes as the grid keeps it, by their numbers: two indexes of one name,
 * one after the other, are two.
 */
record StoredTable(int numbers, Map<Integer, Kept> indexes) {
  /** The key under which it is kept. */
  static final String KEY = "indexes";

  private static final IndexState[] STATES = {
    IndexState.BUILDING, IndexState.READY, IndexState.DROPPING
  };

  /** An index. */
  record Kept(String name, IndexState state) {}

  static StoredTable read(byte @Nullable [] bytes) {
    Map<Integer, Kept> indexes = new TreeMap<>();
    if (bytes == null) {
      return new StoredTable(0, indexes);
    }
    ByteReader in = new ByteReader(bytes);
    in.readByte();
    int numbers = in.readCount(Integer.MAX_VALUE);
    for (int left = in.readCount(Integer.MAX_VALUE); left > 0; left--) {
      String name = in.readText();
      int number = in.readCount(Integer.MAX_VALUE);
      in.readText();
      indexes.put(number, new Kept(name, STATES[in.readByte()]));
    }
    return new StoredTable(numbers, indexes);
  }
}
