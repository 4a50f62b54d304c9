package io.canopygrid.study.scale;

import io.canopygrid.IndexOptions;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.TimedCosts;
import io.canopygrid.gmu.simulation.TimedGrid;
import io.canopygrid.gmu.simulation.TimedWire;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.store.VersionChain;
import io.canopygrid.study.grid.GridTraffic;
import io.canopygrid.study.grid.StudyMember;
import io.canopygrid.study.load.ClientOperations;
import io.canopygrid.study.load.IndexSubject;
import io.canopygrid.study.load.Records;
import io.canopygrid.study.load.Row;
import io.canopygrid.study.load.StudySubject;
import io.canopygrid.study.load.StudyWorkload;
import io.canopygrid.study.load.Subjects;
import io.canopygrid.study.load.SubtreeSpans;
import io.canopygrid.study.load.TreeSubject;
import io.canopygrid.study.tree.Operation;
import io.canopygrid.study.tree.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** One tree on one simulated grid: loads it, then runs workloads one after the other. */
public final class SimulatedStudy {
  private static final int TREE = 1;
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Shards of a grid, as it is by default. */
  static final int SHARDS = 256;

  /** Loading takes no virtual time. */
  private static final TimedCosts FREE = new TimedCosts(64, 1_000, 0, 0, 0, Map.of(), 0);

  private final Options options;
  private final Costs costs;
  private final TimedGrid grid;
  private final List<StudyMember> members = new ArrayList<>();
  private final List<StudySubject> subjects = new ArrayList<>();
  private final List<OwnerRuns> owners = new ArrayList<>();
  private final Records records;
  private final List<ScaleRow> rows = new ArrayList<>();
  private int running;
  private ClientPlace place = ClientPlace.NODES;

  /**
   * The options of a run.
   *
   * @param nodes at least 1
   * @param records loaded
   * @param arity of a plain tree
   * @param clientsPerNode at each node, or outside for each node
   * @param places where clients are, one after the other; outside of the grid of the index only
   * @param uniform whether all keys are asked for as often
   * @param millis of virtual time of each workload
   */
  public record Options(
      Variant variant,
      int nodes,
      long records,
      int arity,
      int clientsPerNode,
      List<ClientPlace> places,
      boolean uniform,
      double millis) {
    public Options {
      places = List.copyOf(places);
      if (places.contains(ClientPlace.OUTSIDE) && variant != Variant.CANOPY) {
        throw new IllegalArgumentException("only the index has clients outside: " + variant);
      }
      if (nodes < 1 || nodes > 1_000) {
        throw new IllegalArgumentException("nodes must be from 1 to 1000: nodes=" + nodes);
      }
    }
  }

  private SimulatedStudy(Options options, Costs costs, TimedWire wire, long seed) {
    this.options = options;
    this.costs = costs;
    this.records = new Records(options.records());
    TimedCosts loading = new TimedCosts(costs.grid().cores(), FREE.latency(), 0, 0, 0, Map.of(), 0);
    this.grid =
        new TimedGrid(
            options.nodes(),
            2,
            SHARDS,
            loading,
            wire,
            BPlusTree.factory(),
            new SubtreeFences(),
            seed);
    grid.nodes().forEach(node -> members.add(new StudyMember(node)));
  }

  /** Runs the workloads in order; the same seed gives the same rows. */
  public static List<ScaleRow> run(
      Options options, List<StudyWorkload> workloads, Costs costs, long seed) {
    return run(options, workloads, costs, TimedWire.PLAIN, seed);
  }

  static List<ScaleRow> run(
      Options options, List<StudyWorkload> workloads, Costs costs, TimedWire wire, long seed) {
    SimulatedStudy study = new SimulatedStudy(options, costs, wire, seed);
    study.grid.client("driver", () -> study.drive(workloads, seed));
    study.grid.run();
    return study.rows;
  }

  private void drive(List<StudyWorkload> workloads, long seed) {
    load();
    grid.sleep(QUIET_NANOS);
    grid.setCosts(costs.grid());
    for (ClientPlace next : options.places()) {
      place = next;
      for (StudyWorkload workload : workloads) {
        rows.add(measure(workload, seed));
      }
    }
  }

  private void load() {
    StudyMember first = members.get(0);
    if (options.variant() == Variant.CANOPY) {
      IndexOptions shape = Subjects.options(options.records(), options.nodes());
      Subjects.index(first, "study", shape, records);
      for (StudyMember member : members) {
        IndexSubject subject = new IndexSubject(member, "study", shape);
        subjects.add(subject);
        owners.add(new OwnerRuns(member.ownerLane(), subject.withoutFunctions()));
      }
      return;
    }
    TreeSubject built = Subjects.tree(first, options.variant(), TREE, options.arity(), records);
    for (StudyMember member : members) {
      member.trees().saw(first.trees().clock());
      subjects.add(new TreeSubject(member.trees(), built.layout()));
    }
  }

  /** One client's measurements; those of the first third of the time do not count. */
  private static final class Meter {
    private final Histogram nanos = new Histogram(TimeUnit.SECONDS.toNanos(100), 3);
    private long counted;
  }

  private ScaleRow measure(StudyWorkload workload, long seed) {
    long span = (long) (options.millis() * 1e6);
    long begin = grid.now() + span / 3;
    long end = begin + span;
    Meter all = new Meter();
    running = options.nodes() * options.clientsPerNode();
    for (int n = 0; n < options.nodes(); n++) {
      for (int c = 0; c < options.clientsPerNode(); c++) {
        ClientOperations client =
            new ClientOperations(
                workload, records, options.uniform(), seed * 1_000_003 + n * 1_009L + c);
        int home = n;
        grid.client(
            "client " + n + "-" + c,
            () -> {
              runUntil(begin, end, home, workload, client, all);
              running--;
            });
      }
    }
    grid.sleep(begin - grid.now());
    Snapshot before = new Snapshot();
    grid.sleep(end - grid.now());
    Snapshot after = new Snapshot();
    while (running > 0) {
      grid.sleep(span / 10 + 1);
    }
    return row(workload, all, before, after, span);
  }

  private void runUntil(
      long begin, long end, int home, StudyWorkload workload, ClientOperations client, Meter all) {
    while (grid.now() < end) {
      long start = grid.now();
      Operation operation = client.next();
      if (place == ClientPlace.OUTSIDE) {
        outside(home, operation);
      } else {
        inside(home, workload, operation);
      }
      if (start >= begin && grid.now() <= end) {
        all.nanos.recordValue(grid.now() - start);
      }
      if (grid.now() >= begin && grid.now() <= end) {
        all.counted++;
      }
    }
  }

  private void inside(int home, StudyWorkload workload, Operation operation) {
    grid.work(members.get(home).node(), costs.of(operation));
    boolean function =
        options.variant() == Variant.CANOPY
            && (operation.kind() == Operation.Kind.READ_MODIFY_WRITE
                || workload == StudyWorkload.PUT_BY_FUNCTION);
    (function ? owners.get(home) : subjects.get(home)).run(operation);
  }

  /** A client knows where keys are, asks there, and the operation begins there. */
  private void outside(int home, Operation operation) {
    NodeId owner = owners.get(home).ownerOf(operation.key());
    int at = owner == null ? home : (int) owner.value() - 1;
    GmuNode node = members.get(at).node();
    grid.travelTo(node);
    grid.work(node, costs.of(operation));
    owners.get(at).run(operation);
    grid.travelFrom(node);
  }

  /** The grid's counters at one moment. */
  private final class Snapshot {
    final GridTraffic traffic =
        members.stream().map(StudyMember::ownTraffic).reduce(GridTraffic.NONE, GridTraffic::plus);
    final long aborts = subjects.stream().mapToLong(StudySubject::aborts).sum();
    final long[] busy =
        members.stream().mapToLong(member -> grid.busyNanos(member.node())).toArray();
    final long[] locked =
        members.stream().mapToLong(member -> grid.lockedNanos(member.node())).toArray();
  }

  private ScaleRow row(
      StudyWorkload workload, Meter all, Snapshot before, Snapshot after, long span) {
    GridTraffic traffic = after.traffic.since(before.traffic);
    double mean = 0;
    double most = 0;
    double lock = 0;
    for (int i = 0; i < members.size(); i++) {
      double busy = (double) (after.busy[i] - before.busy[i]) / span / costs.grid().cores();
      mean += busy / members.size();
      most = Math.max(most, busy);
      lock = Math.max(lock, (double) (after.locked[i] - before.locked[i]) / span);
    }
    Row row =
        new Row(
            options.variant(),
            workload,
            options.nodes(),
            Math.max(1, all.counted),
            span / 1e9,
            traffic.remoteRequests(),
            traffic.messages(),
            traffic.replication(),
            after.aborts - before.aborts,
            all.nanos.getValueAtPercentile(50) / 1e3,
            all.nanos.getValueAtPercentile(99) / 1e3,
            workload.scansHundred() && options.variant() == Variant.CANOPY
                ? SubtreeSpans.mean(members.get(0).node(), records, ClientOperations.SCAN_MAX)
                : 0);
    long[] crown = crown();
    return new ScaleRow(
        row,
        place.toString(),
        options.uniform() ? "uniform" : "zipf",
        options.records(),
        options.arity(),
        mean,
        most,
        lock,
        crown[0],
        crown[1]);
  }

  /** Bytes and entries of one node's copy of TOP. */
  private long[] crown() {
    long[] sum = new long[2];
    OrderedCursor<VersionChain> entries =
        members.get(members.size() - 1).node().top().ascending(new byte[0]);
    while (entries.next()) {
      byte[] value = entries.value().value();
      if (value != null) {
        sum[0] += entries.key().length + value.length;
        sum[1]++;
      }
    }
    return sum;
  }
}
