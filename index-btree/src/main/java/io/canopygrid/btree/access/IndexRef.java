package io.canopygrid.btree.access;

import io.canopygrid.ErrorCode;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** An index as transactions know it, and its counters at this node. Thread-safe. */
public final class IndexRef {
  private final String name;
  private final int number;
  private final long firstSubtree;
  private final Function<byte[], String> keyText;
  private final LongAdder remoteRequests = new LongAdder();
  private final LongAdder redirects = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final AbortCounts aborts = new AbortCounts();

  /**
   * An index of the catalog.
   *
   * @param number its number there
   * @param firstSubtree the subtree that begins at the empty key
   * @param keyText shows an encoded key to people
   */
  public IndexRef(String name, int number, long firstSubtree, Function<byte[], String> keyText) {
    this.name = name;
    this.number = number;
    this.firstSubtree = firstSubtree;
    this.keyText = keyText;
  }

  public String name() {
    return name;
  }

  /** The number under which the crown knows it. */
  public int number() {
    return number;
  }

  long firstSubtree() {
    return firstSubtree;
  }

  /** A key for people. */
  String textOf(byte[] key) {
    return keyText.apply(key);
  }

  void countRemoteRequest() {
    remoteRequests.increment();
  }

  void countRedirect() {
    redirects.increment();
  }

  /** One more transaction that used it has committed. */
  public void countCommit() {
    commits.increment();
  }

  void countAbort(ErrorCode code) {
    aborts.count(code);
  }

  /** Committed transactions that used it. */
  public long commits() {
    return commits.sum();
  }

  /** Attempts that failed at one of its keys. */
  public Map<ErrorCode, Long> aborts() {
    return aborts.summary();
  }

  /** Reads of its entries that were asked of another node. */
  public long remoteRequests() {
    return remoteRequests.sum();
  }

  /** Answers that a key is elsewhere. */
  public long redirects() {
    return redirects.sum();
  }
}
