package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Loader;
import io.canopygrid.MutableView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.function.PartLoader;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Clients that load sorted entries, each into its own part of an index, and go on where a load has
 * stopped. Others write between these entries, which has parts refused, and above them, in the
 * subtrees that a load cuts.
 */
final class LoadWork extends HandleWork {
  private static final int RANDOM = 3_500;
  private static final int LOADERS = 2;
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int WORKS_MAX = 6;

  /** The keys of a loader: even ones are loaded, writers insert odd ones. */
  private static final long ZONE = 1_000;

  private static final int ENTRIES = 24;

  /** Above a loader's keys are some whose lists grow all the time. */
  private static final long ABOVE = 500;

  private static final int KEYS_ABOVE = 3;

  private final int works;
  private final List<LoadRun> runs = new ArrayList<>();

  /** Keys that were inserted before their neighbours were there. */
  private final Map<Told, Long> ahead = new HashMap<>();

  LoadWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, world, "loads");
    this.works = Math.min(WORKS_MAX, run.transactions());
  }

  @Override
  public void start() {
    for (int i = 0; i < WRITERS; i++) {
      Client client = new Client(grid.random(RANDOM + i));
      grid.client(
          "writer beside loads " + i, 2 + 3L * i, () -> client.repeat(2 * works, client::write));
    }
    for (int i = 0; i < LOADERS; i++) {
      Client client = new Client(grid.random(RANDOM + 10 + i));
      long zone = i * ZONE;
      grid.client("loader " + i, 8 + 5L * i, () -> client.repeat(works, () -> client.load(zone)));
    }
    for (int i = 0; i < READERS; i++) {
      Client client = new Client(grid.random(RANDOM + 20 + i));
      grid.client("reader of loads " + i, 30 + 7L * i, () -> client.repeat(works, client::read));
    }
  }

  @Override
  public void finish() {
    Client client = new Client(grid.random(RANDOM - 1));
    GmuNode any = client.node();
    for (int i = 0; i < LOADERS; i++) {
      long zone = i * ZONE;
      atRest(any, db -> client.loadRest(any, db, zone));
    }
    Map<Long, String> values = new TreeMap<>();
    for (GmuNode node : grid.usable()) {
      atRest(
          node,
          db -> {
            Map<Long, String> here = values(db, after());
            if (values.isEmpty()) {
              values.putAll(here);
              checkLast(values);
            } else if (!values.equals(here)) {
              problem("at rest there is " + here + " at " + node.self() + ", not " + values);
            }
          });
    }
    for (Told told : all) {
      for (long key : told.keys) {
        last.put(key, NumberLists.of(values.get(key)));
      }
    }
  }

  private void checkLast(Map<Long, String> values) {
    runs.forEach(run -> run.checkLast(values, this::problem));
    Set<Long> own = new HashSet<>();
    for (int i = 0; i < LOADERS; i++) {
      for (long key : keys(i * ZONE, -1)) {
        own.add(key);
        if (!values.containsKey(key)) {
          problem("key " + key + " was left out");
        }
      }
    }
    all.forEach(told -> own.addAll(told.keys));
    if (!own.containsAll(values.keySet())) {
      problem("keys that nobody wrote: " + values);
    }
    ahead.forEach((told, key) -> {
      for (LoadRun run : runs) {
        if (NumberLists.of(values.get(key)).contains(told.number) && run.spans(key)) {
          problem(run + " went over key " + key + ", which was there before: " + told);
        }
      }
    });
  }

  private Map<Long, String> values(EmbeddedCanopy db, TransactionOptions options) {
    Index<Long, String> index = lists(db);
    return db.read(
        options,
        tx -> {
          Map<Long, String> values = new TreeMap<>();
          tx.on(index).scan().forEach(entry -> values.put(entry.getKey(), entry.getValue()));
          return values;
        });
  }

  /** The keys of a zone above one of them. */
  private static List<Long> keys(long zone, long above) {
    List<Long> keys = new ArrayList<>();
    for (long key = zone; key < zone + 2L * ENTRIES; key += 2) {
      if (key > above) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** One client. */
  private final class Client extends HandleClient {
    Client(SeededRandom random) {
      super(random);
    }

    GmuNode node() {
      return grid.anyUsable(random);
    }

    void write() {
      long zone = random.below(LOADERS) * ZONE;
      TransactionOptions options =
          TransactionOptions.DEFAULTS.withTimeout(PATIENCE).withMaxAttempts(random.oneOf(1, 5, 50));
      if (random.chance(0.5)) {
        long key = zone + ABOVE + random.below(KEYS_ABOVE);
        Told told = next(List.of(key));
        use(node(), told, db -> append(db, options, told));
      } else {
        Told told = next(List.of(zone + 1 + 2L * random.below(ENTRIES)));
        use(node(), told, db -> insert(db, options, told));
      }
    }

    private void append(EmbeddedCanopy db, TransactionOptions options, Told told) {
      Index<Long, String> index = lists(db);
      db.run(
          options,
          tx -> {
            MutableView<Long, String> view = tx.on(index);
            for (long key : told.keys) {
              String before = view.get(key);
              pause(random);
              view.put(key, NumberLists.with(before, told.number));
            }
          });
    }

    private void insert(EmbeddedCanopy db, TransactionOptions options, Told told) {
      Index<Long, String> index = lists(db);
      long key = told.keys.get(0);
      db.run(
          options,
          tx -> {
            MutableView<Long, String> view = tx.on(index);
            view.insert(key, NumberLists.with(null, told.number));
            if (view.containsKey(key - 1) || view.containsKey(key + 1)) {
              ahead.remove(told);
            } else {
              ahead.put(told, key);
            }
            pause(random);
          });
    }

    void load(long zone) {
      GmuNode node = node();
      use(
          node,
          null,
          db -> {
            LoadRun run = new LoadRun(runs.size() + 1);
            runs.add(run);
            List<Long> rest = rest(db, zone);
            int most = random.oneOf(2, 8, ENTRIES, ENTRIES);
            if (!rest.isEmpty()) {
              count("loads");
              load(node, db, run, rest.subList(0, Math.min(most, rest.size())));
            }
          });
    }

    private List<Long> rest(EmbeddedCanopy db, long zone) {
      Map<Long, String> there = values(db, after());
      long greatest = -1;
      for (long key : keys(zone, -1)) {
        greatest = there.containsKey(key) ? key : greatest;
      }
      return keys(zone, greatest);
    }

    private void load(GmuNode node, EmbeddedCanopy db, LoadRun run, List<Long> keys) {
      int bytes = random.oneOf(20, 60, 200, 500);
      boolean alone = random.chance(0.3);
      try (Loader<Long, String> loader = loader(node, db, bytes)) {
        try {
          for (long key : keys) {
            run.takes(key);
            loader.add(key, run.value(key));
            run.committed(loader.committed(), true);
            tell(db);
            pause(random);
            if (alone || random.chance(0.1)) {
              flush(db, loader, run);
            }
          }
          if (random.chance(0.8)) {
            flush(db, loader, run);
          }
        } catch (CanopyException e) {
          run.committed(loader.committed(), false);
          run.failed(e.commitState());
          count(e.code() == ErrorCode.KEY_EXISTS ? "refused" : "failed");
          throw e;
        }
      }
    }

    private void flush(EmbeddedCanopy db, Loader<Long, String> loader, LoadRun run) {
      loader.flush();
      run.committed(loader.committed(), false);
      tell(db);
      run.flushed();
      count("flushed");
    }

    private Loader<Long, String> loader(GmuNode node, EmbeddedCanopy db, int bytes) {
      Index<Long, String> index = lists(db);
      EntryCodec<Long, String> codec =
          new EntryCodec<>(index.name(), index.keyCodec(), index.valueCodec());
      return new PartLoader<>(db, index, codec, node.threads(), bytes);
    }

    /** Goes on until all is there: one entry in each part goes between those of others. */
    void loadRest(GmuNode node, EmbeddedCanopy db, long zone) {
      LoadRun run = new LoadRun(runs.size() + 1);
      runs.add(run);
      try (Loader<Long, String> loader = loader(node, db, 40)) {
        for (long key : rest(db, zone)) {
          run.takes(key);
          loader.add(key, run.value(key));
          flush(db, loader, run);
        }
      }
    }

    void read() {
      Map<LoadRun, Integer> least = new HashMap<>();
      runs.forEach(run -> least.put(run, run.committed()));
      TransactionOptions options = after();
      use(
          node(),
          null,
          db -> {
            Map<Long, String> values = values(db, options);
            least.forEach((run, entries) -> run.check(values, entries, LoadWork.this::problem));
            count("compared");
          });
    }
  }
}
