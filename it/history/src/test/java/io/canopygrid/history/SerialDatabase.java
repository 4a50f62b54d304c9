package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A right database in memory, for long histories: updates run one after the other; every other
 * transaction sees a snapshot of its own that leaves out some of the last updates, with all that
 * depend on them. So two of them may disagree about the order of independent updates.
 */
final class SerialDatabase {
  private static final int ACTIVE_KEYS = 12;
  private static final int ELEMENTS_PER_KEY = 64;
  private static final int WINDOW = 64;
  private static final int PROCESSES = 12;
  private static final long STEP_NANOS = 1_000;

  private final Random random;
  private final Workload workload;
  private final Map<String, List<Element>> lists = new HashMap<>();
  private final List<String> active = new ArrayList<>();
  private final Deque<Update> window = new ArrayDeque<>();
  private final List<Txn> txns = new ArrayList<>();
  private long element;
  private int key;
  private int update;
  private long process = 2 * PROCESSES;

  private SerialDatabase(long seed, Workload workload) {
    this.random = new Random(seed);
    this.workload = workload;
    while (active.size() < ACTIVE_KEYS) {
      active.add("k" + key++);
    }
  }

  /** A right history of lists or scans, with final reads of all keys. */
  static History history(long seed, Workload workload, int size) {
    SerialDatabase database = new SerialDatabase(seed, workload);
    for (int i = 0; i < size; i++) {
      database.step();
    }
    for (String name : List.copyOf(database.lists.keySet())) {
      database.record(database.process, Status.OK, true, List.of(database.read(name, Set.of())));
    }
    HistoryHeader header = new HistoryHeader(workload, seed, List.of("n1"), 1, "test", "none", "");
    return new History(header, database.txns, List.of());
  }

  private void step() {
    int kind = random.nextInt(20);
    if (kind < 9) {
      runUpdate();
    } else if (kind == 9) {
      List<Op> ops = new ArrayList<>(reads(excluded()));
      ops.add(write());
      record(process++, random.nextBoolean() ? Status.FAIL : Status.INFO, false, ops);
    } else if (kind < 15) {
      record(process++, Status.OK, false, reads(excluded()));
    } else {
      record(PROCESSES + random.nextInt(PROCESSES), Status.OK, false, reads(Set.of()));
    }
  }

  private void runUpdate() {
    Set<String> read = new HashSet<>();
    Set<String> written = new HashSet<>();
    List<Op> ops = new ArrayList<>();
    int number = update++;
    for (Op op : random.nextBoolean() ? reads(Set.of()) : List.<Op>of()) {
      ops.add(op);
      read.add(op.key());
    }
    for (int i = 0; i <= random.nextInt(3); i++) {
      Op write = write();
      ops.add(write);
      written.add(write.key());
      lists
          .computeIfAbsent(write.key(), name -> new ArrayList<>())
          .add(new Element(write.element(), number));
    }
    int by = random.nextInt(PROCESSES);
    record(by, Status.OK, false, ops);
    window.addLast(new Update(number, by, read, written));
    if (window.size() > WINDOW) {
      window.removeFirst();
    }
    active.replaceAll(
        name -> lists.getOrDefault(name, List.of()).size() < ELEMENTS_PER_KEY ? name : "k" + key++);
  }

  /** Some recent update and all that depend on it. */
  private Set<Integer> excluded() {
    Set<Integer> excluded = new HashSet<>();
    Set<String> read = new HashSet<>();
    Set<String> written = new HashSet<>();
    Set<Integer> processes = new HashSet<>();
    int first = window.isEmpty() ? 0 : window.getFirst().number + random.nextInt(window.size());
    for (Update u : window) {
      boolean depends =
          u.number == first
              || processes.contains(u.process)
              || u.written.stream().anyMatch(k -> written.contains(k) || read.contains(k))
              || u.read.stream().anyMatch(written::contains);
      if (u.number >= first && depends) {
        excluded.add(u.number);
        processes.add(u.process);
        read.addAll(u.read);
        written.addAll(u.written);
      }
    }
    return excluded;
  }

  private List<Op> reads(Set<Integer> excluded) {
    List<Op> ops = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      ops.add(read(active.get(random.nextInt(ACTIVE_KEYS)), excluded));
    }
    return ops;
  }

  private Op read(String name, Set<Integer> excluded) {
    Op op = workload == Workload.INDEX_SCAN ? Op.scan(name) : Op.read(name);
    return op.saw(
        lists.getOrDefault(name, List.of()).stream()
            .filter(e -> !excluded.contains(e.writer))
            .mapToLong(Element::value)
            .toArray());
  }

  private Op write() {
    String name = active.get(random.nextInt(ACTIVE_KEYS));
    return workload == Workload.INDEX_SCAN ? Op.add(name, ++element) : Op.append(name, ++element);
  }

  private void record(long by, Status status, boolean fin, List<Op> ops) {
    long end = STEP_NANOS * (txns.size() + 1);
    long start = Math.max(0, end - random.nextInt(20) * STEP_NANOS);
    txns.add(new Txn(2L * txns.size(), by, "n1", status, fin ? end - 1 : start, end, fin, "", ops));
  }

  private record Element(long value, int writer) {}

  private record Update(int number, int process, Set<String> read, Set<String> written) {}
}
