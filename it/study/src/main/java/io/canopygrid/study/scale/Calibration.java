package io.canopygrid.study.scale;

import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Range;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.study.grid.StudyCluster;
import io.canopygrid.study.grid.StudyMember;
import io.canopygrid.study.load.Records;
import io.canopygrid.study.load.StudyWorkload;
import io.canopygrid.study.tree.Operation;
import io.canopygrid.study.tree.Variant;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * Measures on this machine what the simulation needs to know ({@link Costs}):
 *
 * <ul>
 *   <li>the protocol's steps and the coding of messages, with the real code on a simulated grid of
 *       three nodes, as medians by kind of message;
 *   <li>operations of the index where all is local, on one node, as medians;
 *   <li>the network: questions between nodes of a real cluster. Processor time of this process with
 *       many under way, half of it for sending and half for receiving; and the round trip of one at
 *       a time, of which the fastest twentieth counts, as others use the machine too.
 * </ul>
 */
public final class Calibration {
  private static final int ROUNDS = 3;
  private static final int RECORDS = 20_000;
  private static final int LOCAL_OPERATIONS = 60_000;
  private static final int QUESTIONS = 40_000;
  private static final int UNDER_WAY = 64;
  private static final int ROUND_TRIPS = 5_000;
  private static final int SCANNED = 100;
  private static final long NANOS_MAX = 10_000_000_000L;

  private final Properties costs = new Properties();
  private final Narrator narrator;

  private Calibration(Narrator narrator) {
    this.narrator = narrator;
  }

  /** Measures all. */
  public static Properties run(Narrator narrator) throws IOException, InterruptedException {
    Calibration calibration = new Calibration(narrator);
    calibration.put("cores", Runtime.getRuntime().availableProcessors());
    calibration.steps();
    calibration.operations();
    calibration.network();
    return calibration.costs;
  }

  private void put(String name, long value) {
    costs.setProperty(name, Long.toString(Math.max(0, value)));
  }

  private void steps() {
    CalibrationWire wire = new CalibrationWire();
    SimulatedStudy.Options options =
        new SimulatedStudy.Options(
            Variant.CANOPY, 3, RECORDS, 8, 16, List.of(ClientPlace.NODES), true, 100);
    for (int round = 0; round < ROUNDS; round++) {
      narrator.say("Measuring the protocol, round " + (round + 1) + " of " + ROUNDS);
      wire.clear();
      SimulatedStudy.run(
          options,
          List.of(StudyWorkload.BALANCED, StudyWorkload.SCAN_HEAVY),
          Costs.measured(),
          wire,
          round);
    }
    wire.medians().forEach((kind, nanos) -> put("step." + kind, nanos));
    put("other-step", wire.medians().getOrDefault("Ack", 0L));
  }

  private void operations() {
    narrator.say("Measuring operations on one node");
    try (EmbeddedCanopy canopy = EmbeddedCanopy.start()) {
      Index<Long, byte[]> index =
          canopy.index("local", Codec.int64(), Codec.bytes(), IndexOptions.DEFAULTS);
      time(i -> canopy.run(tx -> tx.on(index).put(key(i), Records.value(i))));
      long get = time(i -> canopy.read(tx -> tx.on(index).get(key(i)) != null));
      put("operation." + Operation.Kind.GET, get);
      put(
          "operation." + Operation.Kind.PUT,
          time(i -> canopy.run(tx -> tx.on(index).put(key(i), Records.value(i)))));
      long update =
          time(i ->
              canopy.run(tx -> tx.on(index).compute(key(i), (k, old) -> Operation.countedUp(old))));
      put("operation." + Operation.Kind.READ_MODIFY_WRITE, update);
      long one = time(i -> scan(canopy, index, i, 1));
      long hundred = time(i -> scan(canopy, index, i, SCANNED));
      put("operation." + Operation.Kind.SCAN, one);
      put("scanned-entry", (hundred - one) / (SCANNED - 1));
      put("call", get);
    }
  }

  private static long key(long i) {
    return Records.number(i % RECORDS);
  }

  private static void scan(EmbeddedCanopy canopy, Index<Long, byte[]> index, long i, int limit) {
    canopy.<Long, RuntimeException>read(tx -> {
      try (Cursor<Long, byte[]> cursor = tx.on(index).scan(Range.atLeast(key(i))).limit(limit)) {
        long sum = 0;
        for (Map.Entry<Long, byte[]> entry : cursor) {
          sum += entry.getKey();
        }
        return sum;
      }
    });
  }

  /** The median of an operation, after a third of them. */
  private static long time(LongConsumer operation) {
    Histogram nanos = new Histogram(NANOS_MAX, 3);
    for (int i = 0; i < LOCAL_OPERATIONS; i++) {
      long start = System.nanoTime();
      operation.accept(i);
      if (i > LOCAL_OPERATIONS / 3) {
        nanos.recordValue(Math.min(System.nanoTime() - start, NANOS_MAX));
      }
    }
    return nanos.getValueAtPercentile(50);
  }

  private void network() throws IOException, InterruptedException {
    narrator.say("Measuring the network");
    try (StudyCluster cluster = new StudyCluster(2, "256m", narrator)) {
      StudyMember member = cluster.member();
      NodeId other =
          member.node().topology().members().stream()
              .filter(node -> !node.equals(member.node().self()))
              .findFirst()
              .orElseThrow();
      ask(member, other, QUESTIONS / 2);
      long before = processNanos();
      ask(member, other, QUESTIONS);
      long each = (processNanos() - before) / QUESTIONS / 2;
      put("send", each);
      put("receive", each);
      Histogram nanos = new Histogram(NANOS_MAX, 3);
      for (int i = 0; i < ROUND_TRIPS; i++) {
        long start = System.nanoTime();
        var unused = member.ask(other).join();
        nanos.recordValue(Math.min(System.nanoTime() - start, NANOS_MAX));
      }
      put("latency", nanos.getValueAtPercentile(5) / 2 - 2 * each);
    }
  }

  private static void ask(StudyMember member, NodeId other, int questions) {
    List<CompletableFuture<byte[]>> underWay = new ArrayList<>();
    for (int i = 0; i < questions; i++) {
      underWay.add(member.ask(other));
      if (underWay.size() == UNDER_WAY) {
        underWay.forEach(CompletableFuture::join);
        underWay.clear();
      }
    }
    underWay.forEach(CompletableFuture::join);
  }

  private static long processNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
