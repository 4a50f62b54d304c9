package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.Invariant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The outcome of many changes: of each key the last one only. Most of what a grid writes is gone
 * soon, as decisions are, so the engine is given much less than was logged. Confined to one thread.
 */
final class NetChanges {
  /** In order, which the engine takes in faster. */
  private final Map<Family, NavigableMap<byte[], Entry>> families = new EnumMap<>(Family.class);

  private final List<Range> deleted = new ArrayList<>();

  /**
   * A key's last change.
   *
   * @param value made when it is needed, which is seldom; null: the key is deleted
   */
  private record Entry(@Nullable Supplier<byte[]> value) {}

  private static final Entry DELETED = new Entry(null);

  /** Keys that are deleted, from one, inclusive, to another, exclusive. */
  private record Range(Family family, byte[] from, byte[] to) {
    boolean has(Family of, byte[] key) {
      return family == of
          && Arrays.compareUnsigned(from, key) <= 0
          && Arrays.compareUnsigned(key, to) < 0;
    }
  }

  NetChanges() {
    for (Family family : Family.values()) {
      families.put(family, new TreeMap<>(Arrays::compareUnsigned));
    }
  }

  boolean isEmpty() {
    return deleted.isEmpty() && families.values().stream().allMatch(Map::isEmpty);
  }

  void put(Family family, byte[] key, Supplier<byte[]> value) {
    of(family).put(key, new Entry(value));
  }

  void delete(Family family, byte[] key) {
    of(family).put(key, DELETED);
  }

  void deleteRange(Family family, byte[] from, byte[] to) {
    of(family).subMap(from, true, to, false).clear();
    deleted.add(new Range(family, from, to));
  }

  private NavigableMap<byte[], Entry> of(Family family) {
    return Invariant.present(families.get(family), "each family has a map");
  }

  /** Adds them to a batch of the engine: what is deleted as a range comes before all puts. */
  void writeTo(WriteBatch batch, RocksEngine engine) throws RocksDBException {
    for (Range range : deleted) {
      batch.deleteRange(engine.family(range.family()), range.from(), range.to());
    }
    for (Family family : Family.values()) {
      for (Map.Entry<byte[], Entry> each : of(family).entrySet()) {
        Supplier<byte[]> value = each.getValue().value();
        if (value == null) {
          batch.delete(engine.family(family), each.getKey());
        } else {
          batch.put(engine.family(family), each.getKey(), value.get());
        }
      }
    }
  }

  /** An engine as it is with these changes. */
  ContentCheck.Source over(RocksEngine engine) {
    return new ContentCheck.Source() {
      @Override
      public void read(Family family, RocksEngine.EntryReader reader) throws RocksDBException {
        Merge merge = new Merge(family, of(family), reader);
        engine.read(family, merge);
        merge.readRest();
      }

      @Override
      public void read(Family family, byte[] from, byte[] to, RocksEngine.EntryReader reader)
          throws RocksDBException {
        Merge merge = new Merge(family, of(family).subMap(from, true, to, false), reader);
        engine.read(family, from, to, merge);
        merge.readRest();
      }
    };
  }

  /** Reads changes as the keys of the engine go by. */
  private final class Merge implements RocksEngine.EntryReader {
    private final Family family;
    private final Iterator<Map.Entry<byte[], Entry>> changes;
    private final RocksEngine.EntryReader reader;
    private Map.@Nullable Entry<byte[], Entry> next;

    Merge(Family family, NavigableMap<byte[], Entry> changes, RocksEngine.EntryReader reader) {
      this.family = family;
      this.changes = changes.entrySet().iterator();
      this.reader = reader;
      advance();
    }

    private void advance() {
      next = changes.hasNext() ? changes.next() : null;
    }

    /** Reads the changes of keys up to this one, and it, if none of them is of it. */
    @Override
    public void read(byte[] key, byte[] value) {
      int order = -1;
      while (next != null && order < 0) {
        order = Arrays.compareUnsigned(next.getKey(), key);
        if (order <= 0) {
          readNext(next);
        }
      }
      if (order != 0 && deleted.stream().noneMatch(range -> range.has(family, key))) {
        reader.read(key, value);
      }
    }

    void readRest() {
      while (next != null) {
        readNext(next);
      }
    }

    private void readNext(Map.Entry<byte[], Entry> change) {
      Supplier<byte[]> value = change.getValue().value();
      if (value != null) {
        reader.read(change.getKey(), value.get());
      }
      advance();
    }
  }
}
