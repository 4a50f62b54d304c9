package io.canopygrid.server.endpoint.feed;

import io.canopygrid.CausalToken;
import io.canopygrid.btree.feed.ServedFeed;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.FeedCommit;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A feed whose polls return the next of some groups; its clock counts them in shard 0. */
final class FakeFeed implements ServedFeed {
  private final List<List<FeedCommit>> groups;
  private int at;
  private int before;
  private int polls;
  private boolean closed;

  /** A feed that has told the first groups. */
  FakeFeed(List<List<FeedCommit>> groups, int at) {
    this.groups = groups;
    this.at = at;
    this.before = at;
  }

  /** A transaction that has inserted this under the key {@code k}. */
  static FeedCommit inserted(String value) {
    return new FeedCommit(List.of(new FeedCommit.Changed(bytes("k"), null, bytes(value))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The clock of so many groups. */
  static VectorClock clock(int groups) {
    return VectorClock.of(new int[] {0}, new long[] {groups + 1L});
  }

  @Override
  public List<FeedCommit> poll() {
    polls++;
    before = at;
    return at < groups.size() ? groups.get(at++) : List.of();
  }

  @Override
  public boolean goTo(VectorClock clock) {
    if (clock.equals(clock(before))) {
      at = before;
    }
    return clock.equals(clock(at));
  }

  @Override
  public int index() {
    return 1;
  }

  @Override
  public CausalToken position() {
    return CausalToken.of(clock(at));
  }

  int polls() {
    return polls;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
