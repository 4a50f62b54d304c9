package io.canopygrid.btree.benchmark;

import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.Blackhole;

/** The map that is measured. A JVM of the benchmark only ever has one kind. */
interface MeasuredMap {
  void put(byte[] key, Long value);

  /** After the last put. */
  void settle();

  @Nullable Long get(byte[] key);

  /** Hands the keys and values of the first entries at or above {@code from} on. */
  void scan(byte[] from, int limit, Blackhole blackhole);

  /** Looks into the keys and values of the first entries at or above {@code from}. */
  long read(byte[] from, int limit);

  private static byte lastByte(byte[] key) {
    return key[key.length - 1];
  }

  /**
   * An empty one.
   *
   * @param name {@code skiplist}; {@code tree:A} of arity A; {@code tree:A:W} with a view taken
   *     after every W writes
   */
  static MeasuredMap named(String name) {
    if (name.equals("skiplist")) {
      return new SkipList();
    }
    String[] parts = name.split(":", -1);
    int viewEvery = parts.length > 2 ? Integer.parseInt(parts[2]) : Integer.MAX_VALUE;
    return new Tree(Integer.parseInt(parts[1]), viewEvery);
  }

  /** The JDK's concurrent ordered map. */
  final class SkipList implements MeasuredMap {
    private final ConcurrentSkipListMap<byte[], Long> map =
        new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

    @Override
    public void put(byte[] key, Long value) {
      map.put(key, value);
    }

    @Override
    public void settle() {}

    @Override
    public @Nullable Long get(byte[] key) {
      return map.get(key);
    }

    @Override
    public void scan(byte[] from, int limit, Blackhole blackhole) {
      int rest = limit;
      for (Map.Entry<byte[], Long> entry : map.tailMap(from, true).entrySet()) {
        blackhole.consume(entry.getKey());
        blackhole.consume(entry.getValue());
        if (--rest == 0) {
          return;
        }
      }
    }

    @Override
    public long read(byte[] from, int limit) {
      int rest = limit;
      long sum = 0;
      for (Map.Entry<byte[], Long> entry : map.tailMap(from, true).entrySet()) {
        sum += lastByte(entry.getKey()) + entry.getValue();
        if (--rest == 0) {
          break;
        }
      }
      return sum;
    }
  }

  /** The tree; reads go to a view, as those of the store do. */
  final class Tree implements MeasuredMap {
    private final BPlusTree<Long> tree;
    private final int viewEvery;
    private int writes;
    private OrderedView<Long> view;

    Tree(int arity, int viewEvery) {
      this.tree = new BPlusTree<>(arity);
      this.viewEvery = viewEvery;
      this.view = tree.view();
    }

    @Override
    public void put(byte[] key, Long value) {
      tree.put(key, value);
      if (++writes >= viewEvery) {
        settle();
      }
    }

    @Override
    public void settle() {
      view = tree.view();
      writes = 0;
    }

    @Override
    public @Nullable Long get(byte[] key) {
      return view.get(key);
    }

    @Override
    public void scan(byte[] from, int limit, Blackhole blackhole) {
      OrderedCursor<Long> cursor = view.ascending(from);
      for (int rest = limit; rest > 0 && cursor.next(); rest--) {
        blackhole.consume(cursor.key());
        blackhole.consume(cursor.value());
      }
    }

    @Override
    public long read(byte[] from, int limit) {
      long sum = 0;
      OrderedCursor<Long> cursor = view.ascending(from);
      for (int rest = limit; rest > 0 && cursor.next(); rest--) {
        sum += lastByte(cursor.key()) + cursor.value();
      }
      return sum;
    }
  }
}
