package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.Invariant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** An engine as it is with changes that it does not have yet. Confined to one thread. */
final class ChangedEngine implements ContentCheck.Source {
  private final RocksEngine engine;
  private final NetChanges net;
  private final Map<Family, NavigableMap<byte[], NetEntry>> families = new EnumMap<>(Family.class);

  /**
   * @param net to which nothing is added any more
   */
  ChangedEngine(RocksEngine engine, NetChanges net) {
    this.engine = engine;
    this.net = net;
    for (Family family : Family.values()) {
      NavigableMap<byte[], NetEntry> entries = new TreeMap<>(Arrays::compareUnsigned);
      net.entries(family).forEach(entry -> entries.put(entry.key(), entry));
      families.put(family, entries);
    }
  }

  private NavigableMap<byte[], NetEntry> of(Family family) {
    return Invariant.present(families.get(family), "each family has a map");
  }

  @Override
  public void read(Family family, EngineContent.EntryReader reader) throws RocksDBException {
    Merge merge = new Merge(family, of(family), reader);
    engine.read(family, merge);
    merge.readRest();
  }

  @Override
  public void read(Family family, byte[] from, byte[] to, EngineContent.EntryReader reader)
      throws RocksDBException {
    Merge merge = new Merge(family, of(family).subMap(from, true, to, false), reader);
    engine.read(family, from, to, merge);
    merge.readRest();
  }

  /** Reads changes as the keys of the engine go by. */
  private final class Merge implements EngineContent.EntryReader {
    private final Family family;
    private final Iterator<NetEntry> changes;
    private final EngineContent.EntryReader reader;
    private @Nullable NetEntry next;

    Merge(Family family, NavigableMap<byte[], NetEntry> changes, EngineContent.EntryReader reader) {
      this.family = family;
      this.changes = changes.values().iterator();
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
        order = Arrays.compareUnsigned(next.key(), key);
        if (order <= 0) {
          readNext(next);
        }
      }
      if (order != 0 && net.deleted().stream().noneMatch(range -> range.has(family, key))) {
        reader.read(key, value);
      }
    }

    void readRest() {
      while (next != null) {
        readNext(next);
      }
    }

    private void readNext(NetEntry change) {
      Supplier<byte[]> value = change.value();
      if (value != null) {
        reader.read(change.key(), value.get());
      }
      advance();
    }
  }
}
