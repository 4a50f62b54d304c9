package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.simulation.ObservedTransaction.Kind;
import io.canopygrid.gmu.simulation.ObservedTransaction.Status;
import io.canopygrid.gmu.simulation.SnapshotTasks.Use;
import io.canopygrid.gmu.simulation.TransactionMix.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client of the transaction layer: it runs one transaction after the other, each at some node,
 * with a causal token in between. It keeps what the layer above the protocol would: its own writes,
 * and what it has read.
 */
final class SimulatedClient {
  private final SimulatedWorld world;
  private final NodeSteps steps;
  private final SeededRandom random;
  private final ClientWork work;
  private final int session;
  private final boolean serializable;
  private final SessionClock clock;
  private final LongReaders longReaders;
  private int todo;
  private @Nullable SimulatedTransaction running;

  SimulatedClient(
      SimulatedWorld world,
      NodeSteps steps,
      SeededRandom random,
      ClientWork work,
      int session,
      int todo) {
    this.world = world;
    this.steps = steps;
    this.random = random;
    this.work = work;
    this.session = session;
    this.serializable = world.readMix.isSerializableSession();
    this.clock = new SessionClock(world, session);
    this.longReaders = new LongReaders(world, session);
    this.todo = todo;
  }

  boolean isFinished() {
    return running == null && todo == 0;
  }

  boolean isBusyAt(SimulatedNode node) {
    return running != null && running.node == node;
  }

  /** Begins the next transaction. */
  void next() {
    List<SimulatedNode> able = new ArrayList<>();
    for (SimulatedNode node : world.nodes.values()) {
      if (!node.dead && !node.leaving && !node.isPaused(world.now()) && node.protocol.isReady()) {
        able.add(node);
      }
    }
    if (todo > 0 && able.isEmpty()) {
      world.after(10, this::next);
    } else if (todo > 0) {
      todo--;
      SimulatedNode node = random.oneOf(able);
      SnapshotTasks.Task task = work.snapshots.next();
      if (task != null) {
        begin(task, node);
        return;
      }
      Kind kind = work.mix.kind(random, serializable);
      List<Operation> operations = work.mix.operations(random, kind, node.id);
      ObservedTransaction log =
          new ObservedTransaction(work.history.size(), session, kind, world.now());
      work.history.add(log);
      running =
          new SimulatedTransaction(
              log,
              node,
              node.protocol.begin(clock.next(node)),
              operations,
              world.readMix.readsNearest(),
              world.now());
      pause(running);
    }
  }

  // ---- named snapshots

  private void begin(SnapshotTasks.Task task, SimulatedNode node) {
    SnapshotTasks.Named snapshot = task.snapshot();
    SimulatedTransaction tx;
    if (task.use() == Use.READ) {
      clock.hearOfLoss(node);
      List<Operation> operations = work.mix.operations(random, Kind.NAMED, node.id);
      tx =
          new SimulatedTransaction(
              snapshot.log,
              node,
              node.protocol.beginAt(snapshot.clock(), true),
              operations,
              world.readMix.readsNearest(),
              world.now());
      tx.hasRead = world.shards.all();
    } else {
      ObservedTransaction log =
          new ObservedTransaction(work.history.size(), session, Kind.UPDATE, world.now());
      work.history.add(log);
      List<Operation> operations = new ArrayList<>();
      if (task.use() == Use.TAKE) {
        for (int shard = 0; shard <= world.shards.top(); shard++) {
          operations.add(new Operation.Fix(shard));
        }
      } else {
        operations.add(new Operation.Delete(snapshot.key()));
      }
      tx =
          new SimulatedTransaction(
              log,
              node,
              node.protocol.begin(clock.next(node)),
              operations,
              world.readMix.readsNearest(),
              world.now());
    }
    tx.task = task;
    running = tx;
    pause(tx);
  }

  /** All shards are read as they are at the clock found out, and that is pinned. */
  private void pin(SimulatedTransaction tx) {
    tx.hasRead = world.shards.all();
    if (tx.task != null && tx.task.use() == Use.TAKE) {
      tx.log.writes.put(tx.task.snapshot().key(), new Pin(tx.clock, world.now()).encode());
    }
  }

  private void pause(SimulatedTransaction tx) {
    world.after(longReaders.pause(random.oneOf(0, 1, 1, 5, 40)), () -> step(tx));
  }

  private void step(SimulatedTransaction tx) {
    if (running != tx) {
      return;
    }
    if (tx.node.isPaused(world.now())) {
      pause(tx);
      return;
    }
    Operation operation = tx.operations.peek();
    if (operation != null && longReaders.isOver(tx, "a step")) {
      end(tx, Status.ABORTED);
    } else if (operation == null) {
      pin(tx);
      commit(tx);
    } else if (operation instanceof Operation.Put put) {
      tx.operations.remove();
      byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt(tx.log.number).array();
      tx.log.writes.put(put.key(), value);
      pause(tx);
    } else if (operation instanceof Operation.Delete delete) {
      tx.operations.remove();
      tx.log.writes.put(delete.key(), null);
      pause(tx);
    } else {
      read(tx);
    }
  }

  // ---- reads

  /** The next reads, as many as are asked for at the same time. */
  private void read(SimulatedTransaction tx) {
    List<AskedRead> asked = new ArrayList<>();
    for (int most = world.readMix.readsAtOnce(); most > 0; most--) {
      Operation operation = tx.operations.peek();
      ReadQuery query = operation == null ? null : query(tx, operation);
      if (operation == null || query == null) {
        break;
      }
      tx.operations.remove();
      if (!(operation instanceof Operation.Get get) || !tx.log.writes.containsKey(get.key())) {
        asked.add(new AskedRead(operation, query));
      }
    }
    if (asked.isEmpty()) {
      pause(tx);
      return;
    }
    world.counters.add("reads in parallel", asked.size() > 1 ? asked.size() : 0);
    List<AskedRead> open = new ArrayList<>();
    for (AskedRead read : asked) {
      if (!isAtHand(tx, read)) {
        open.add(read);
      } else if (!isTaken(tx, read, tx.operations)) {
        return;
      }
    }
    tx.asked = open;
    if (open.isEmpty()) {
      pause(tx);
    } else {
      ask(tx, open);
      takeAll(tx);
    }
  }

  private @Nullable ReadQuery query(SimulatedTransaction tx, Operation operation) {
    if (operation instanceof Operation.Get get) {
      return new ReadQuery.Get(get.key(), world.readMix.turn());
    } else if (operation instanceof Operation.Fix fix) {
      return new ReadQuery.Get(CompositeKey.header(world.shards.kclIn(fix.shard())));
    } else if (operation instanceof Operation.Scan scan) {
      return ScanRange.query(world, work.mix, scan, tx.log.number, random.chance(0.5));
    }
    return null;
  }

  /** As the runtime does it: outside of the protocol lock where that is possible. */
  private boolean isAtHand(SimulatedTransaction tx, AskedRead read) {
    SimulatedNode node = tx.node;
    LocalRead local =
        random.chance(0.5)
            ? node.protocol.tryRead(node.topologyId(), read.query, tx.clock, tx.hasRead)
            : null;
    if (local == null && tx.nearest && !(read.operation instanceof Operation.Fix)) {
      local = node.protocol.tryReadNearest(read.query, tx.clock, tx.hasRead);
      world.counters.add(local == null ? "nearest asked" : "nearest read", 1);
    }
    if (local != null) {
      Effect.Answer answer = new Effect.Answer(0, local.shard(), local.clock(), local.answer());
      read.answered(answer, work.ghosts(node, local.shard()));
    }
    return local != null;
  }

  private void ask(SimulatedTransaction tx, List<AskedRead> open) {
    List<AskedRead> asked = tx.asked;
    long first = work.requests.next(open.size());
    for (int i = 0; i < open.size(); i++) {
      open.get(i).request = first + i;
    }
    List<ReadQuery> queries = open.stream().map(read -> read.query).toList();
    List<Effect> effects = new ArrayList<>();
    tx.node.protocol.read(
        tx.handle, first, queries, queries.size() == 1, tx.clock, tx.hasRead, world.now(), effects);
    steps.carryOut(tx.node, effects);
    if (open.stream().anyMatch(read -> read.answer == null && hasNoOwner(tx.node, read.query))) {
      world.problems.add("no owner, and not refused at once: a read of " + tx.log);
    }
    if (world.options.has(SimulatedFault.GIVE_UP) && random.chance(0.05)) {
      world.after(random.between(5, 100), () -> abandon(tx, asked));
    }
  }

  private boolean hasNoOwner(SimulatedNode node, ReadQuery query) {
    Topology now = Invariant.present(node.topology, "a node that is ready has a topology");
    return now.shard(world.shards.shardOf(query.kcl())).owners().isEmpty();
  }

  /** Waits for answers no longer. */
  private void abandon(SimulatedTransaction tx, List<AskedRead> asked) {
    if (running == tx && tx.asked.equals(asked) && !tx.node.isPaused(world.now())) {
      world.counters.add("reads given up", 1);
      end(tx, Status.UNKNOWN);
    }
  }

  /** An answer to this client or another one. */
  void onAnswer(SimulatedNode node, Effect.Answer answer, Map<CompositeKey, TxId> ghosts) {
    SimulatedTransaction tx = running;
    if (tx == null || tx.node != node) {
      return;
    }
    for (AskedRead read : tx.asked) {
      if (read.request == answer.request() && read.answer == null) {
        longReaders.check(tx, answer.answer());
        read.answered(answer, ghosts);
        takeAll(tx);
        return;
      }
    }
  }

  /** Goes on when all answers are there; those that do not fit are asked for again. */
  private void takeAll(SimulatedTransaction tx) {
    List<AskedRead> asked = tx.asked;
    if (asked.isEmpty() || asked.stream().anyMatch(read -> read.answer == null)) {
      return;
    }
    tx.asked = List.of();
    ArrayDeque<Operation> again = new ArrayDeque<>();
    for (AskedRead read : asked) {
      if (!isTaken(tx, read, again)) {
        return;
      }
    }
    world.counters.add("reads repeated", again.size());
    again.forEach(tx.operations::addFirst);
    pause(tx);
  }

  /** False where that is the transaction's end; what does not fit is to be read again. */
  private boolean isTaken(SimulatedTransaction tx, AskedRead read, ArrayDeque<Operation> again) {
    Effect.Answer answer = Invariant.present(read.answer, "all reads are answered");
    if (answer.answer() instanceof ReadAnswer.TooOld) {
      boolean isDropped = tx.task != null && tx.task.snapshot().isGone();
      if (!isDropped && !longReaders.isOver(tx, "a read")) {
        world.problems.add("snapshot too old at a read of " + tx.log);
      }
      end(tx, Status.ABORTED);
      return false;
    } else if (answer.answer() instanceof ReadAnswer.Unavailable) {
      end(tx, Status.UNKNOWN);
      return false;
    } else if (!take(tx, read, answer)) {
      again.addFirst(read.operation);
    }
    return true;
  }

  /** False where the answer does not fit to those taken before. */
  private boolean take(SimulatedTransaction tx, AskedRead read, Effect.Answer answer) {
    if (read.operation instanceof Operation.Fix) {
      tx.clock = tx.clock.join(answer.clock());
      return true;
    }
    LocalRead local = new LocalRead(answer.shard(), answer.clock(), answer.answer());
    if (!local.agrees(tx.clock, tx.hasRead)) {
      return false;
    }
    boolean first = tx.hasRead.isEmpty() && !tx.nearest && world.knowsNewest(tx.node);
    int before = tx.log.reads.size();
    tx.clock = tx.clock.join(answer.clock());
    tx.hasRead = tx.hasRead.with(answer.shard());
    if (read.operation instanceof Operation.Get get
        && answer.answer() instanceof ReadAnswer.Got got) {
      tx.reads.putIfAbsent(get.key(), got.seen());
      tx.saw(get.key(), got.seen().writer(), read.ghosts);
      tx.log.shown.put(get.key(), got.value());
    } else if (read.operation instanceof Operation.Scan scan
        && answer.answer() instanceof ReadAnswer.Scanned scanned) {
      onScanned(tx, scan, (ReadQuery.Scan) read.query, scanned, read.ghosts);
    } else {
      throw new IllegalStateException("an odd answer: " + answer);
    }
    if (first) {
      tx.log.first.addAll(tx.log.reads.subList(before, tx.log.reads.size()));
    }
    return true;
  }

  private void onScanned(
      SimulatedTransaction tx,
      Operation.Scan scan,
      ReadQuery.Scan query,
      ReadAnswer.Scanned scanned,
      Map<CompositeKey, TxId> ghosts) {
    long kcl = world.kcl(scan.shard());
    Map<CompositeKey, Seen> found = new LinkedHashMap<>();
    for (ReadAnswer.Entry entry : scanned.entries()) {
      CompositeKey key = CompositeKey.of(kcl, entry.ku());
      found.put(key, entry.seen());
      if (query.values()) {
        tx.log.shown.put(key, entry.value());
      }
    }
    List<KeyRead> remembered = new ArrayList<>();
    found.forEach((key, seen) -> remembered.add(new KeyRead(key, seen)));
    ScanRange range = ScanRange.of(world, scan, query, scanned);
    byte[] from = world.key(scan.shard(), range.first()).ku();
    tx.ranges.add(new RangeRead(kcl, from, range.to(), remembered));
    for (int number = range.first(); number <= range.last(); number++) {
      CompositeKey key = world.key(scan.shard(), number);
      Seen seen = found.remove(key);
      tx.saw(key, seen == null ? null : seen.writer(), ghosts);
    }
    if (!found.isEmpty()) {
      world.problems.add("a scan of " + tx.log + " went wrong: " + found.keySet());
    }
  }

  // ---- commit

  private void commit(SimulatedTransaction tx) {
    List<Effect> effects = new ArrayList<>();
    String label = tx.log.toString();
    tx.tooOld = longReaders.isOver(tx, "a commit") && tx.isValidated();
    tx.node.protocol.commit(tx.handle, tx.clock, tx.footprint(), label, world.now(), effects);
    steps.carryOut(tx.node, effects);
    if (running == tx && world.options.has(SimulatedFault.GIVE_UP) && random.chance(0.2)) {
      world.after(random.between(1, 60), () -> giveUp(tx));
    }
  }

  private void giveUp(SimulatedTransaction tx) {
    if (running == tx && !tx.node.isPaused(world.now())) {
      world.counters.add("given up", 1);
      TxId open = tx.node.protocol.attemptOf(tx.handle);
      List<Effect> effects = new ArrayList<>();
      tx.node.protocol.giveUp(tx.handle, world.now(), effects);
      steps.carryOut(tx.node, effects);
      if (running == tx && open != null && open.equals(tx.node.protocol.attemptOf(tx.handle))) {
        tx.log.attempts.add(open);
        end(tx, Status.UNKNOWN);
      }
    }
  }

  void onEnded(SimulatedNode node, Effect.Ended ended) {
    SimulatedTransaction tx = running;
    if (tx == null || tx.node != node || tx.handle != ended.transaction()) {
      return;
    }
    if (ended.tid() != null) {
      tx.log.attempts.add(ended.tid());
    }
    longReaders.check(tx, ended.outcome());
    if (ended.outcome() instanceof Outcome.Committed committed) {
      clock.saw(committed.clock());
      tx.log.clock = tx.log.kind == Kind.NAMED ? tx.log.clock : committed.clock();
      if (tx.task != null && tx.task.use() == Use.TAKE) {
        tx.task.snapshot().taken(tx.clock);
        tx.task.snapshot().log.clock = committed.clock();
        work.history.add(tx.task.snapshot().log);
      }
      Topology known = node.topology;
      tx.log.toldFromOutside = known != null && !known.members().contains(node.id);
      end(tx, Status.COMMITTED);
    } else if (ended.outcome() instanceof Outcome.Aborted aborted) {
      boolean again =
          aborted.reason() == AbortReason.TOPOLOGY_CHANGED
              || aborted.reason() == AbortReason.LOCK_TIMEOUT;
      if (again && random.chance(0.4)) {
        pause(tx);
      } else {
        end(tx, Status.ABORTED);
      }
    } else {
      end(tx, Status.UNKNOWN);
    }
  }

  private void end(SimulatedTransaction tx, Status status) {
    if (tx.log.kind != Kind.NAMED) {
      tx.log.status = status;
      tx.log.ended = world.now();
    }
    List<Effect> effects = new ArrayList<>();
    if (!tx.node.protocol.tryEnd(tx.handle)) {
      tx.node.protocol.end(tx.handle, world.now(), effects);
    }
    running = null;
    steps.carryOut(tx.node, effects);
    world.after(random.oneOf(0, 1, 5, 30), this::next);
  }

  /** The node is gone: whether the transaction committed is not known. */
  void onDeath(SimulatedNode node) {
    SimulatedTransaction tx = running;
    if (tx != null && tx.node == node) {
      TxId open = node.protocol.attemptOf(tx.handle);
      if (open != null) {
        tx.log.attempts.add(open);
      }
      if (tx.log.kind != Kind.NAMED) {
        tx.log.ended = world.now();
      }
      running = null;
      world.after(random.between(1, 20), this::next);
    }
  }
}
