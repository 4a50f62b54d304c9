package io.canopygrid.btree.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One thread writes and publishes views while others walk through them. Every view must be whole:
 * the writer takes an amount from one account and gives it to another in each batch, and opens and
 * closes accounts with nothing in them, so that all views have the same sum, and a size they know.
 */
final class ConcurrentViewsTest {
  private static final int ACCOUNTS = 400;
  private static final int BALANCE = 1_000;
  private static final int BATCHES = 20_000;
  private static final int READERS = 3;

  /** The last view, or null when there will be no more. */
  private static final class Published {
    private volatile OrderedView<Integer> view;
    private volatile boolean last;

    Published(OrderedView<Integer> view) {
      this.view = view;
    }
  }

  private static byte[] account(int i) {
    return ByteBuffer.allocate(12).putLong(0x8000_0000_0000_0007L).putInt(i * 31).array();
  }

  @ParameterizedTest(name = "arity {0}")
  @ValueSource(ints = {4, 16, 64})
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void readersSeeWholeViews(int arity) throws Exception {
    BPlusTree<Integer> tree = new BPlusTree<>(arity);
    for (int i = 0; i < ACCOUNTS; i++) {
      tree.put(account(i), BALANCE);
    }
    Published published = new Published(tree.view());
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        boolean up = i % 2 == 0;
        readers.add(threads.submit(() -> read(published, up)));
      }
      write(tree, published, arity);
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).as("views read").isPositive();
      }
    } finally {
      threads.shutdownNow();
    }
    tree.check();
  }

  private static void write(BPlusTree<Integer> tree, Published published, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try {
      for (int batch = 0; batch < BATCHES; batch++) {
        int from = random.nextInt(ACCOUNTS);
        int to = random.nextInt(ACCOUNTS);
        int amount = random.nextInt(100);
        move(tree, account(from), -amount);
        move(tree, account(to), amount);
        openOrClose(tree, ACCOUNTS + random.nextInt(ACCOUNTS));
        published.view = tree.view();
      }
    } finally {
      published.last = true;
    }
  }

  private static void move(BPlusTree<Integer> tree, byte[] account, int amount) {
    tree.put(account, Objects.requireNonNull(tree.get(account), "balance") + amount);
  }

  private static void openOrClose(BPlusTree<Integer> tree, int account) {
    if (tree.remove(account(account)) == null) {
      tree.put(account(account), 0);
    }
  }

  /** The number of views that were read. Each of them was found whole. */
  private static int read(Published published, boolean up) {
    int views = 0;
    boolean last;
    do {
      last = published.last;
      OrderedView<Integer> view = published.view;
      OrderedCursor<Integer> cursor = up ? view.ascending(new byte[0]) : view.descending(null);
      wholeIn(cursor, view, up);
      views++;
    } while (!last);
    return views;
  }

  private static void wholeIn(
      OrderedCursor<Integer> cursor, OrderedView<Integer> view, boolean up) {
    int entries = 0;
    long sum = 0;
    byte[] before = null;
    while (cursor.next()) {
      byte[] key = cursor.key();
      if (before != null && Arrays.compareUnsigned(before, key) < 0 != up) {
        throw new AssertionError(
            "out of order: " + TreeTwin.hex(before) + ", " + TreeTwin.hex(key));
      }
      before = key;
      entries++;
      sum += cursor.value();
    }
    assertThat(entries).as("entries").isEqualTo(view.size());
    assertThat(sum).as("sum").isEqualTo((long) ACCOUNTS * BALANCE);
  }
}
