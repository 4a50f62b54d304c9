package io.canopygrid.btree.crown;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A copy of TOP in a map, for tests. */
public final class MapView implements OrderedView<VersionChain> {
  private final NavigableMap<byte[], VersionChain> map = new TreeMap<>(Arrays::compareUnsigned);

  /** Adds a version; null: a tombstone. */
  public MapView put(CompositeKey key, byte @Nullable [] value) {
    TxId tid = new TxId(new NodeId(1), map.size());
    map.put(key.bytes(), VersionChain.of(tid, tid, 1, VectorClock.ZERO, value, null));
    return this;
  }

  /** Adds an entry of the crown. */
  public MapView put(CrownEntry entry) {
    return put(entry.key(), entry.value());
  }

  @Override
  public @Nullable VersionChain get(byte[] key) {
    return map.get(key);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public OrderedCursor<VersionChain> ascending(byte[] from) {
    return cursor(map.tailMap(from, true).entrySet().iterator());
  }

  @Override
  public OrderedCursor<VersionChain> descending(byte @Nullable [] below) {
    NavigableMap<byte[], VersionChain> part = below == null ? map : map.headMap(below, false);
    return cursor(part.descendingMap().entrySet().iterator());
  }

  private static OrderedCursor<VersionChain> cursor(
      Iterator<Map.Entry<byte[], VersionChain>> entries) {
    return new OrderedCursor<>() {
      private Map.@Nullable Entry<byte[], VersionChain> at;

      @Override
      public boolean next() {
        at = entries.hasNext() ? entries.next() : null;
        return at != null;
      }

      @Override
      public byte[] key() {
        return entry().getKey();
      }

      @Override
      public VersionChain value() {
        return entry().getValue();
      }

      private Map.Entry<byte[], VersionChain> entry() {
        if (at == null) {
          throw new IllegalStateException("the cursor stands on nothing");
        }
        return at;
      }
    };
  }
}
