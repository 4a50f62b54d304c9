package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the order of versions off registers: what a transaction writes comes right after what it
 * read of the same key. If a transaction wrote without reading, that part of the order stays open
 * ({@link LooseOrders}).
 */
final class Registers {
  private static final int INITIAL = 0;

  private final List<Txn> txns;
  private final Findings findings;
  private final Elements elements;
  private final Map<String, Key> keys = new LinkedHashMap<>();

  private Registers(List<Txn> txns, Findings findings) {
    this.txns = txns;
    this.findings = findings;
    this.elements = new Elements(txns);
  }

  static Observations observe(List<Txn> txns, Findings findings) {
    return new Registers(txns, findings).observe();
  }

  private Observations observe() {
    Observations observations = new Observations(txns.size());
    for (int txn = 0; txn < txns.size(); txn++) {
      if (txns.get(txn).status() == Status.OK && txns.get(txn).writes()) {
        observations.commit(txn);
      }
      for (Op op : txns.get(txn).ops()) {
        int writer =
            op.observed().length == 0 ? Elements.NOBODY : elements.writer(op.key(), op.element());
        boolean others = !op.kind().isWrite() && writer != Elements.NOBODY && writer != txn;
        if (others && txns.get(writer).status() == Status.INFO) {
          observations.commit(writer);
        }
      }
    }
    for (int txn = 0; txn < txns.size(); txn++) {
      for (Op op : txns.get(txn).ops()) {
        Key key = keys.computeIfAbsent(op.key(), Key::new);
        if (observations.committed(txn) && op.equals(lastWrite(txns.get(txn), op.key()))) {
          key.install(op.element(), txn);
        }
      }
    }
    List<Map<String, Integer>> reads = new ArrayList<>();
    for (int txn = 0; txn < txns.size(); txn++) {
      reads.add(reads(txn));
      if (observations.committed(txn)) {
        link(txn, reads.get(txn));
      }
    }
    keys.values().forEach(key -> key.timeline = observations.add(key.toTimeline()));
    for (int txn = 0; txn < txns.size(); txn++) {
      addReads(txn, reads.get(txn), observations);
    }
    observations.seal(txns.size());
    return observations;
  }

  private static @Nullable Op lastWrite(Txn txn, String key) {
    Op last = null;
    for (Op op : txn.ops()) {
      if (op.kind().isWrite() && op.key().equals(key)) {
        last = op;
      }
    }
    return last;
  }

  /** The version of each key that a transaction read from outside, its reads checked. */
  private Map<String, Integer> reads(int txn) {
    Map<String, Op> current = new HashMap<>();
    Map<String, Integer> versions = new LinkedHashMap<>();
    for (Op op : txns.get(txn).ops()) {
      if (!op.executed()) {
        continue;
      }
      Op before = current.put(op.key(), op);
      if (op.kind().isWrite()) {
        continue;
      }
      if (before == null) {
        int version = version(txn, op);
        if (version >= 0) {
          versions.put(op.key(), version);
        }
      } else if (!Arrays.equals(before.observed(), op.observed())) {
        findings.add(Anomaly.INTERNAL, () -> txns.get(txn) + " did " + before + " and later " + op);
      }
    }
    return versions;
  }

  private int version(int txn, Op read) {
    if (read.observed().length == 0) {
      return INITIAL;
    }
    int writer = elements.writer(read.key(), read.element());
    Anomaly anomaly;
    if (writer == Elements.NOBODY) {
      anomaly = Anomaly.UNKNOWN_ELEMENT;
    } else if (writer == txn) {
      anomaly = Anomaly.INTERNAL;
    } else if (txns.get(writer).status() == Status.FAIL) {
      anomaly = Anomaly.ABORTED_READ;
    } else {
      Integer version = key(read.key()).versions.get(read.element());
      if (version != null) {
        return version;
      }
      anomaly = Anomaly.INTERMEDIATE_READ;
    }
    findings.add(
        anomaly,
        () ->
            txns.get(txn)
                + " read "
                + read
                + (writer == Elements.NOBODY ? "" : ", written by " + txns.get(writer)));
    return -1;
  }

  private Key key(String name) {
    return Objects.requireNonNull(keys.get(name));
  }

  /** Puts what a transaction wrote right after what it read. */
  private void link(int txn, Map<String, Integer> reads) {
    reads.forEach((name, version) -> {
      Op write = lastWrite(txns.get(txn), name);
      if (write == null) {
        return;
      }
      Key key = key(name);
      int written = Objects.requireNonNull(key.versions.get(write.element()));
      Integer other = key.next.putIfAbsent(version, written);
      if (other == null) {
        key.linked.put(written, version);
      } else {
        findings.add(
            Anomaly.LOST_UPDATE,
            () ->
                txns.get(txn)
                    + " and "
                    + txns.get(key.writers.get(other))
                    + " both read the same version of "
                    + name
                    + " and wrote the next one");
      }
    });
  }

  private void addReads(int txn, Map<String, Integer> reads, Observations observations) {
    reads.forEach((name, version) -> {
      observations.saw(txn, key(name).timeline, version);
      observations.endOfRead(txn);
    });
  }

  /** The facts known of one register. */
  private static final class Key {
    final String name;
    final Map<Long, Integer> versions = new HashMap<>();
    final IntList writers = new IntList();
    final Map<Integer, Integer> next = new HashMap<>();

    /** Versions that follow another one. */
    final Map<Integer, Integer> linked = new HashMap<>();

    int timeline;

    Key(String name) {
      this.name = name;
      writers.add(Timeline.NONE);
    }

    void install(long value, int writer) {
      versions.put(value, writers.size());
      writers.add(writer);
    }

    /** Cuts the links into segments; links in a circle are left out, they are a cycle anyway. */
    Timeline toTimeline() {
      List<int[]> segments = new ArrayList<>();
      boolean[] placed = new boolean[writers.size()];
      for (int version = 0; version < writers.size(); version++) {
        if (!linked.containsKey(version)) {
          IntList segment = new IntList();
          for (Integer v = version; v != null; v = next.get(v)) {
            segment.add(v);
            placed[v] = true;
          }
          segments.add(segment.toArray());
        }
      }
      for (int version = 0; version < writers.size(); version++) {
        if (!placed[version]) {
          segments.add(new int[] {version});
        }
      }
      return new Timeline(name, writers.toArray(), segments);
    }
  }
}
