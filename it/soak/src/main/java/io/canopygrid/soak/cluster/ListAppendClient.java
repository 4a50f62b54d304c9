package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadTransaction;
import io.canopygrid.ReadView;
import io.canopygrid.Transaction;
import io.canopygrid.history.Op;
import io.canopygrid.soak.cluster.KeySlots.SlotKey;
import io.canopygrid.soak.cluster.Recorder.Attempt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Appends to lists, looks lists up, and scans a few neighbours; a scan counts as a read of each key
 * in its range, of those that are not there too.
 */
final class ListAppendClient extends HistoryClient {
  private static final int ELEMENTS_PER_KEY = 64;
  private static final int OPERATIONS_MAX = 8;

  private final Index<Integer, long[]> index;
  private final KeySlots slots;
  private final int stripes;
  private final int numbers;
  private final boolean zipf;

  /**
   * Creates one of the clients of a node, which share the slots.
   *
   * @param numbers final reads go up to here in each stripe
   */
  ListAppendClient(
      Canopy db,
      Index<Integer, long[]> index,
      Recorder recorder,
      LongSupplier elements,
      KeySlots slots,
      int stripes,
      int numbers,
      Random random,
      ClientBug plant) {
    super(db, recorder, elements, random, plant);
    this.index = index;
    this.slots = slots;
    this.stripes = stripes;
    this.numbers = numbers;
    this.zipf = random.nextInt(3) == 0;
  }

  @Override
  Plan plan() {
    Plan plan = new Plan();
    // Short ones more often than long ones.
    int size = 1 + Math.min(random.nextInt(OPERATIONS_MAX), random.nextInt(OPERATIONS_MAX));
    if (random.nextBoolean()) {
      addReads(plan, size);
      return plan;
    }
    int appends = 1 + random.nextInt(Math.min(size, 4));
    boolean readsFirst = random.nextBoolean();
    addReads(plan, readsFirst || random.nextInt(4) == 0 ? size - appends : 0);
    for (int i = 0; i < appends; i++) {
      plan.add(new Append(slots.choose(random, zipf), random.nextInt(3)));
    }
    if (!readsFirst) {
      plan.shuffle(random);
    }
    return plan;
  }

  private void addReads(Plan plan, int size) {
    int left = size;
    while (left > 0) {
      SlotKey key = slots.choose(random, zipf);
      int width = left > 1 && random.nextInt(4) == 0 ? 2 + random.nextInt(left - 1) : 1;
      if (width == 1) {
        plan.add(new Look(key, random.nextInt(8)));
      } else {
        SlotKey first =
            new SlotKey(key.stripe(), Math.max(0, key.number() - random.nextInt(width)));
        plan.add(new Scan(first, width, random.nextBoolean()));
      }
      left -= width;
    }
  }

  @Override
  List<Plan> finalReads() {
    List<Plan> plans = new ArrayList<>();
    for (int stripe = 0; stripe < stripes; stripe++) {
      for (int number = 0; number < numbers; number += OPERATIONS_MAX) {
        plans.add(new Plan().add(new Scan(new SlotKey(stripe, number), OPERATIONS_MAX, false)));
      }
    }
    return plans;
  }

  private void retireIfFull(SlotKey key, long[] list) {
    if (list.length >= ELEMENTS_PER_KEY) {
      slots.retire(key);
    }
  }

  /** Reads one key, mostly by get. */
  private final class Look implements Step {
    private final SlotKey key;
    private final int how;

    Look(SlotKey key, int how) {
      this.key = key;
      this.how = how;
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public boolean writes() {
      return false;
    }

    @Override
    public List<Op> ops(LongSupplier elements) {
      return List.of(Op.read(key.toString()));
    }

    @Override
    public void read(ReadTransaction tx, Attempt attempt, int at) {
      ReadView<Integer, long[]> view = tx.on(index);
      long[] list = null;
      if (how > 1) {
        list = view.get(key.encoded());
      } else {
        Map.Entry<Integer, long[]> entry =
            how == 0 ? view.floorEntry(key.encoded()) : view.ceilingEntry(key.encoded());
        if (entry != null && entry.getKey() == key.encoded()) {
          list = entry.getValue();
        }
      }
      if (list == null) {
        attempt.saw(at);
      } else {
        attempt.saw(at, list);
        retireIfFull(key, list);
      }
    }
  }

  /** Reads some neighbours. */
  private final class Scan implements Step {
    private final SlotKey first;
    private final int size;
    private final boolean reverse;

    Scan(SlotKey first, int size, boolean reverse) {
      this.first = first;
      this.size = size;
      this.reverse = reverse;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public boolean writes() {
      return false;
    }

    @Override
    public List<Op> ops(LongSupplier elements) {
      List<Op> ops = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        ops.add(Op.read(first.plus(i).toString()));
      }
      return ops;
    }

    @Override
    public void read(ReadTransaction tx, Attempt attempt, int at) {
      Map<Integer, long[]> found = new HashMap<>();
      Range<Integer> range = Range.closedOpen(first.encoded(), first.plus(size).encoded());
      try (Cursor<Integer, long[]> cursor = tx.on(index).scan(range)) {
        if (reverse) {
          cursor.reverse();
        }
        for (Map.Entry<Integer, long[]> entry : cursor) {
          if (found.put(entry.getKey(), entry.getValue()) != null) {
            throw new IllegalStateException("twice in one scan: " + SlotKey.of(entry.getKey()));
          }
        }
      }
      for (int i = 0; i < size; i++) {
        attempt.saw(at + i, found.getOrDefault(first.plus(i).encoded(), new long[0]));
      }
    }
  }

  /** Appends to one key, in one of the ways there are. */
  private final class Append implements Step {
    private final SlotKey key;
    private final int how;

    Append(SlotKey key, int how) {
      this.key = key;
      this.how = how;
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public List<Op> ops(LongSupplier elements) {
      return List.of(Op.append(key.toString(), elements.getAsLong()));
    }

    @Override
    public void write(Transaction tx, Attempt attempt, int at) {
      MutableView<Integer, long[]> view = tx.on(index);
      long element = attempt.ops().get(at).element();
      long[] list = {element};
      switch (how) {
        case 0 -> {
          long[] before = view.get(key.encoded());
          list = before == null ? list : LongsCodec.concat(before, element);
          view.put(key.encoded(), list);
        }
        case 1 -> {
          long[] after = view.merge(key.encoded(), list, LongsCodec::concat);
          list = after == null ? list : after;
        }
        default -> {
          long[] after =
              view.compute(
                  key.encoded(),
                  (k, before) ->
                      before == null ? new long[] {element} : LongsCodec.concat(before, element));
          list = after == null ? list : after;
        }
      }
      retireIfFull(key, list);
    }
  }
}
