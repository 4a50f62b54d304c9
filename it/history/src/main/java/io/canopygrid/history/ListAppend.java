package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads the order of versions off lists: the longest list read of a key is the order of its
 * elements, and every other read must be a beginning of it. An acknowledged element that nobody
 * read comes after all of them.
 */
final class ListAppend {
  private static final int UNUSABLE = -1;

  private final List<Txn> txns;
  private final Findings findings;
  private final Elements elements;
  private final Map<String, Key> keys = new LinkedHashMap<>();

  /** Per transaction and operation: how much of a read's list came from outside. */
  private final int[][] outside;

  private ListAppend(List<Txn> txns, Findings findings) {
    this.txns = txns;
    this.findings = findings;
    this.elements = new Elements(txns);
    this.outside = new int[txns.size()][];
  }

  static Observations observe(List<Txn> txns, Findings findings) {
    return new ListAppend(txns, findings).observe();
  }

  private Observations observe() {
    for (int txn = 0; txn < txns.size(); txn++) {
      outside[txn] = internal(txns.get(txn));
      findLongest(txn);
    }
    Observations observations = new Observations(txns.size());
    elements.keys().forEach(name -> keys.computeIfAbsent(name, Key::new));
    keys.values().forEach(key -> order(key, observations));
    for (Key key : keys.values()) {
      key.timeline = observations.add(timeline(key, observations));
    }
    for (int txn = 0; txn < txns.size(); txn++) {
      if (txns.get(txn).status() == Status.OK && txns.get(txn).writes()) {
        observations.commit(txn);
      }
      addReads(txn, observations);
    }
    observations.seal(txns.size());
    return observations;
  }

  /** Checks a transaction's reads against its own writes and reads; what came from outside. */
  private int[] internal(Txn txn) {
    int[] lengths = new int[txn.ops().size()];
    Arrays.fill(lengths, UNUSABLE);
    for (int i = 0; i < lengths.length; i++) {
      Op read = txn.ops().get(i);
      if (read.kind() != Op.Kind.READ || !read.executed()) {
        continue;
      }
      lengths[i] = outsideLength(txn, i);
      for (int j = 0; j < i && lengths[i] != UNUSABLE; j++) {
        Op before = txn.ops().get(j);
        if (lengths[j] != UNUSABLE
            && before.key().equals(read.key())
            && !Arrays.equals(before.observed(), 0, lengths[j], read.observed(), 0, lengths[i])) {
          findings.add(Anomaly.INTERNAL, () -> txn + " read " + before + " and later " + read);
          lengths[i] = UNUSABLE;
        }
      }
    }
    return lengths;
  }

  private int outsideLength(Txn txn, int i) {
    Op read = txn.ops().get(i);
    long[] list = read.observed();
    IntList own = new IntList();
    Set<Long> ownElements = new HashSet<>();
    for (int j = 0; j < txn.ops().size(); j++) {
      Op op = txn.ops().get(j);
      if (op.kind() == Op.Kind.APPEND && op.key().equals(read.key())) {
        ownElements.add(op.element());
        if (j < i) {
          own.add(j);
        }
      }
    }
    int length = list.length - own.size();
    boolean right = length >= 0;
    for (int j = 0; right && j < own.size(); j++) {
      right = list[length + j] == txn.ops().get(own.get(j)).element();
    }
    for (int j = 0; right && !ownElements.isEmpty() && j < length; j++) {
      right = !ownElements.contains(list[j]);
    }
    if (!right) {
      findings.add(
          Anomaly.INTERNAL, () -> txn + " read " + read + " among its operations " + txn.ops());
      return UNUSABLE;
    }
    return length;
  }

  private void findLongest(int txn) {
    List<Op> ops = txns.get(txn).ops();
    for (int i = 0; i < ops.size(); i++) {
      if (outside[txn][i] == UNUSABLE) {
        continue;
      }
      Key key = keys.computeIfAbsent(ops.get(i).key(), Key::new);
      if (outside[txn][i] > key.length && !extend(key, ops.get(i), outside[txn][i], txn)) {
        outside[txn][i] = UNUSABLE;
      }
    }
  }

  /** Takes a list as the longest of its key, unless it is wrong in itself. */
  private boolean extend(Key key, Op read, int length, int txn) {
    boolean goesOn = Arrays.equals(read.observed(), 0, key.length, key.longest, 0, key.length);
    Set<Long> known = goesOn ? key.known : new HashSet<>();
    if (isFlawed(read, goesOn ? key.length : 0, length, known, txn)) {
      return false;
    }
    Arrays.stream(read.observed(), goesOn ? key.length : 0, length).forEach(known::add);
    key.known = known;
    key.longest = read.observed();
    key.length = length;
    key.reader = txn;
    return true;
  }

  /** Reports an element of a part of a list that is there twice or that nobody wrote. */
  private boolean isFlawed(Op read, int from, int to, Set<Long> before, int txn) {
    Set<Long> here = new HashSet<>();
    for (int i = from; i < to; i++) {
      long element = read.observed()[i];
      boolean twice = before.contains(element) || !here.add(element);
      if (twice || elements.writer(read.key(), element) == Elements.NOBODY) {
        findings.add(
            twice ? Anomaly.DUPLICATE_ELEMENT : Anomaly.UNKNOWN_ELEMENT,
            () -> txns.get(txn) + " read " + read + ": " + element);
        return true;
      }
    }
    return false;
  }

  /** Numbers the versions of a key by its longest list. */
  private void order(Key key, Observations observations) {
    for (int i = 0; i < key.length; i++) {
      long element = key.longest[i];
      int writer = elements.writer(key.name, element);
      key.versions.put(element, i + 1);
      observations.commit(writer);
      if (txns.get(writer).status() == Status.FAIL) {
        reportAborted(key.reader, key.name, element, writer);
      }
    }
  }

  private void reportAborted(int reader, String key, long element, int writer) {
    findings.add(
        Anomaly.ABORTED_READ,
        () ->
            txns.get(reader)
                + " read "
                + element
                + " of "
                + key
                + ", which "
                + txns.get(writer)
                + " wrote");
  }

  private Timeline timeline(Key key, Observations observations) {
    IntList writers = new IntList();
    writers.add(Timeline.NONE);
    for (int i = 0; i < key.length; i++) {
      writers.add(elements.writer(key.name, key.longest[i]));
    }
    List<int[]> segments = new ArrayList<>();
    segments.add(range(0, writers.size()));
    Set<Integer> unread = new HashSet<>();
    elements
        .of(key.name)
        .forEach((element, writer) -> {
          boolean counts = txns.get(writer).status() == Status.OK || observations.committed(writer);
          if (counts && !key.versions.containsKey(element)) {
            unread.add(writer);
          }
        });
    for (int writer : unread) {
      int first = writers.size();
      for (Op op : txns.get(writer).ops()) {
        if (op.kind() == Op.Kind.APPEND
            && op.key().equals(key.name)
            && !key.versions.containsKey(op.element())) {
          writers.add(writer);
        }
      }
      segments.add(range(first, writers.size()));
    }
    return new Timeline(key.name, writers.toArray(), segments);
  }

  private static int[] range(int from, int to) {
    int[] range = new int[to - from];
    Arrays.setAll(range, i -> from + i);
    return range;
  }

  private void addReads(int txn, Observations observations) {
    List<Op> ops = txns.get(txn).ops();
    Set<String> done = new HashSet<>();
    for (int i = 0; i < ops.size(); i++) {
      int length = outside[txn][i];
      if (length == UNUSABLE) {
        continue;
      }
      Op read = ops.get(i);
      Key key = Objects.requireNonNull(keys.get(read.key()));
      if (length > key.length
          || !Arrays.equals(read.observed(), 0, length, key.longest, 0, length)) {
        reportStrange(read, length, txn, key);
      } else if (done.add(read.key())) {
        observations.saw(txn, key.timeline, length);
      }
      observations.endOfRead(txn);
    }
  }

  /** Says what is wrong with a list that is not a beginning of the longest one. */
  private void reportStrange(Op read, int length, int txn, Key key) {
    if (isFlawed(read, 0, length, Set.of(), txn)) {
      return;
    }
    for (int i = 0; i < length; i++) {
      long element = read.observed()[i];
      int writer = elements.writer(read.key(), element);
      if (txns.get(writer).status() == Status.FAIL) {
        reportAborted(txn, read.key(), element, writer);
        return;
      }
    }
    findings.add(
        Anomaly.INCOMPATIBLE_ORDER,
        () ->
            txns.get(txn)
                + " read "
                + read
                + ", but "
                + txns.get(key.reader)
                + " read "
                + Arrays.toString(Arrays.copyOf(key.longest, key.length)));
  }

  /** The facts known of one list. */
  private static final class Key {
    final String name;
    final Map<Long, Integer> versions = new HashMap<>();
    Set<Long> known = new HashSet<>();
    long[] longest = {};
    int length;
    int reader;
    int timeline;

    Key(String name) {
      this.name = name;
    }
  }
}
