package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random histories of a handful of transactions. A careless database runs them: now and then it
 * reads a state of the past, keeps what should have been undone, or loses a write. About half of
 * the histories are right.
 */
final class SmallHistories {
  private static final int UPDATES_MAX = 5;
  private static final int OTHERS_MAX = 4;
  private static final int KEYS = 3;
  private static final String[] NAMES = {"x", "y", "z"};

  private final Random random;
  private final Workload workload;
  private final Story story;
  private final List<Map<String, List<Long>>> states = new ArrayList<>();
  private final int carelessPercent;
  private final int processes;
  private long element;
  private int unknownProcess = 100;

  private SmallHistories(long seed, Workload workload) {
    this.random = new Random(seed);
    this.workload = workload;
    this.story = new Story(workload);
    this.carelessPercent = new int[] {0, 15, 30, 60}[random.nextInt(4)];
    this.processes = random.nextBoolean() ? 2 : 100;
    states.add(new HashMap<>());
  }

  static History random(long seed, Workload workload) {
    return new SmallHistories(seed, workload).generate();
  }

  private History generate() {
    int updates = 1 + random.nextInt(UPDATES_MAX);
    int others = random.nextInt(OTHERS_MAX + 1);
    while (updates + others > 0) {
      if (random.nextInt(updates + others) < updates) {
        update();
        updates--;
      } else {
        readOnly();
        others--;
      }
    }
    if (random.nextInt(4) > 0) {
      finalRead();
    }
    return story.history();
  }

  private void update() {
    int kind = random.nextInt(8);
    Status status = kind == 0 ? Status.FAIL : kind == 1 ? Status.INFO : Status.OK;
    boolean happens = status == Status.OK || (status == Status.INFO && random.nextBoolean());
    happens ^= veryCareless();
    Map<String, List<Long>> now = states.get(states.size() - 1);
    Map<String, List<Long>> read = careless() ? anyState() : now;
    Map<String, List<Long>> own = copy(read);
    Map<String, List<Long>> next = copy(now);
    List<Op> ops = new ArrayList<>();
    int size = 1 + random.nextInt(3);
    for (int i = 0; i < size; i++) {
      Op op = random.nextBoolean() && i + 1 < size ? read(own) : write();
      ops.add(op);
      if (op.kind().isWrite()) {
        apply(op, own);
        apply(op, next);
      }
    }
    story.add(
        status == Status.INFO ? unknownProcess++ : random.nextInt(processes),
        status,
        false,
        ops.toArray(Op[]::new));
    if (happens) {
      states.add(next);
    }
  }

  private void readOnly() {
    Map<String, List<Long>> state = states.get(states.size() - 1 - back());
    List<Op> ops = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      ops.add(read(careless() ? anyState() : state));
    }
    story.ok(random.nextInt(processes), ops.toArray(Op[]::new));
  }

  private int back() {
    return random.nextInt(4) == 0 ? random.nextInt(states.size()) : 0;
  }

  private void finalRead() {
    Map<String, List<Long>> state = states.get(states.size() - 1);
    List<Op> ops = new ArrayList<>();
    for (String name : NAMES) {
      ops.add(readOf(name, veryCareless() ? anyState() : state));
    }
    story.fin(999, ops.toArray(Op[]::new));
  }

  private boolean careless() {
    return random.nextInt(100) < carelessPercent;
  }

  private boolean veryCareless() {
    return random.nextInt(10_000) < carelessPercent * carelessPercent;
  }

  private Map<String, List<Long>> anyState() {
    return states.get(random.nextInt(states.size()));
  }

  private Op read(Map<String, List<Long>> state) {
    return readOf(NAMES[random.nextInt(KEYS)], state);
  }

  private Op readOf(String key, Map<String, List<Long>> state) {
    Op op = workload == Workload.INDEX_SCAN ? Op.scan(key) : Op.read(key);
    return op.saw(state.getOrDefault(key, List.of()).stream().mapToLong(e -> e).toArray());
  }

  private Op write() {
    String key = NAMES[random.nextInt(KEYS)];
    return switch (workload) {
      case LIST_APPEND -> Op.append(key, ++element);
      case RW_REGISTER -> Op.write(key, ++element);
      case INDEX_SCAN -> Op.add(key, ++element);
      case SINGLE_KEY -> throw new IllegalArgumentException("not of transactions");
    };
  }

  private static void apply(Op op, Map<String, List<Long>> state) {
    List<Long> value = state.computeIfAbsent(op.key(), key -> new ArrayList<>());
    if (op.kind() == Op.Kind.WRITE) {
      value.clear();
    }
    value.add(op.element());
  }

  private static Map<String, List<Long>> copy(Map<String, List<Long>> state) {
    Map<String, List<Long>> copy = new HashMap<>();
    state.forEach((key, value) -> copy.put(key, new ArrayList<>(value)));
    return copy;
  }
}
