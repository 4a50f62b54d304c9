package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadTransaction;
import io.canopygrid.ReadView;
import io.canopygrid.ResumeToken;
import io.canopygrid.Transaction;
import io.canopygrid.history.Op;
import io.canopygrid.soak.cluster.KeySlots.SlotKey;
import io.canopygrid.soak.cluster.Recorder.Attempt;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Adds rows to ranges and scans them, while others move them about.
 *
 * <p>A history of scans knows rows that are added and stay. To have entries removed all the same, a
 * row is not an index entry but is kept <em>in</em> one: an entry's value lists the rows in it, and
 * a range's rows are those of all its entries. Adding a row puts a new entry somewhere in the
 * range, or takes one entry or two out of it and puts one back elsewhere, with their rows and the
 * new one. A scan that meets an entry in both places finds a row twice, one that meets it in
 * neither misses rows.
 */
final class IndexScanClient extends HistoryClient {
  private static final int ROWS_PER_RANGE = 32;

  /** Odd, so that two rows of less than 2^32 never get the same place. */
  private static final long SCATTER = 0x9E37_79B1L;

  private final Index<Long, long[]> index;
  private final KeySlots slots;
  private final int stripes;
  private final int numbers;
  private final boolean zipf;

  /**
   * Creates one of the clients of a node, which share the slots.
   *
   * @param numbers final reads go up to here in each stripe
   */
  IndexScanClient(
      Canopy db,
      Index<Long, long[]> index,
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
    if (random.nextBoolean()) {
      int scans = 1 + random.nextInt(3);
      for (int i = 0; i < scans; i++) {
        plan.add(new Scan(slots.choose(random, zipf), random.nextBoolean()));
      }
      return plan;
    }
    int adds = 1 + random.nextInt(3);
    for (int i = 0; i < adds; i++) {
      SlotKey range = slots.choose(random, zipf);
      if (random.nextBoolean()) {
        plan.add(new Scan(range, random.nextBoolean()));
      }
      plan.add(new Add(range, random.nextInt(3)));
    }
    return plan;
  }

  @Override
  List<Plan> finalReads() {
    List<Plan> plans = new ArrayList<>();
    for (int stripe = 0; stripe < stripes; stripe++) {
      for (int number = 0; number < numbers; number++) {
        plans.add(new Plan().add(new Scan(new SlotKey(stripe, number), false)));
      }
    }
    return plans;
  }

  private static Range<Long> range(SlotKey key) {
    return Range.closedOpen(first(key), first(key.plus(1)));
  }

  private static long first(SlotKey key) {
    return (long) key.encoded() << Integer.SIZE;
  }

  private List<Map.Entry<Long, long[]>> entries(
      ReadView<Long, long[]> view, SlotKey key, boolean reverse) {
    if (random.nextInt(4) == 0) {
      return resumed(view, key, reverse);
    }
    try (Cursor<Long, long[]> cursor = view.scan(range(key))) {
      if (reverse) {
        cursor.reverse();
      }
      return cursor.stream().toList();
    }
  }

  /** The same in two pieces, the second by the first one's token: all in one snapshot. */
  private List<Map.Entry<Long, long[]>> resumed(
      ReadView<Long, long[]> view, SlotKey key, boolean reverse) {
    List<Map.Entry<Long, long[]>> entries = new ArrayList<>();
    ResumeToken token;
    try (Cursor<Long, long[]> cursor = view.scan(range(key))) {
      Iterator<Map.Entry<Long, long[]>> first = (reverse ? cursor.reverse() : cursor).iterator();
      for (int i = random.nextInt(4); i > 0 && first.hasNext(); i--) {
        entries.add(first.next());
      }
      token = ResumeToken.parse(cursor.resumeToken().toString());
    }
    try (Cursor<Long, long[]> rest = view.resume(token)) {
      rest.forEach(entries::add);
    }
    return entries;
  }

  /** Scans one range. */
  private final class Scan implements Step {
    private final SlotKey range;
    private final boolean reverse;

    Scan(SlotKey range, boolean reverse) {
      this.range = range;
      this.reverse = reverse;
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
      return List.of(Op.scan(range.toString()));
    }

    @Override
    public void read(ReadTransaction tx, Attempt attempt, int at) {
      long[] rows = {};
      for (Map.Entry<Long, long[]> entry : entries(tx.on(index), range, reverse)) {
        rows = LongsCodec.concat(rows, entry.getValue());
      }
      attempt.saw(at, rows);
      if (rows.length >= ROWS_PER_RANGE) {
        slots.retire(range);
      }
    }
  }

  /** Adds a row to a range: in an entry of its own, or with the rows of others taken out. */
  private final class Add implements Step {
    private final SlotKey range;
    private final int takenOut;

    Add(SlotKey range, int takenOut) {
      this.range = range;
      this.takenOut = takenOut;
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
      return List.of(Op.add(range.toString(), elements.getAsLong()));
    }

    @Override
    public void write(Transaction tx, Attempt attempt, int at) {
      MutableView<Long, long[]> view = tx.on(index);
      long row = attempt.ops().get(at).element();
      long[] rows = {row};
      if (takenOut > 0) {
        List<Map.Entry<Long, long[]>> entries = entries(view, range, false);
        for (int i = 0; i < Math.min(takenOut, entries.size()); i++) {
          // Every other one at most, so that the two are different.
          int pick = Math.min(entries.size() - 1, 2 * random.nextInt(entries.size() / 2 + 1) + i);
          Map.Entry<Long, long[]> entry = entries.get(pick);
          if (view.containsKey(entry.getKey())) {
            view.remove(entry.getKey());
            rows = LongsCodec.concat(rows, entry.getValue());
          }
        }
      }
      view.put(first(range) + (row * SCATTER & 0xFFFF_FFFFL), rows);
    }
  }
}
