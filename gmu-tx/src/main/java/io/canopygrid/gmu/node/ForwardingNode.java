package io.canopygrid.gmu.node;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.spi.ChangeFilter;
import io.canopygrid.gmu.spi.DataPlace;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.spi.GridView;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.store.VersionChain;
import org.jspecify.annotations.Nullable;

/**
 * A node that passes every call on to another node, which may change. A subclass overrides what
 * differs. Thread-safe where {@link #node()} is.
 */
public abstract class ForwardingNode implements GmuNode {
  /** The node that is asked now. */
  protected abstract GmuNode node();

  @Override
  public GmuTransaction begin(VectorClock token, long deadlineNanos) {
    return node().begin(token, deadlineNanos);
  }

  @Override
  public void requireKept(VectorClock clock) {
    node().requireKept(clock);
  }

  @Override
  public boolean beginsAtHand(VectorClock token) {
    return node().beginsAtHand(token);
  }

  @Override
  public GmuTransaction beginAt(VectorClock clock, boolean isPinned, long deadlineNanos) {
    return node().beginAt(clock, isPinned, deadlineNanos);
  }

  @Override
  public int cuts() {
    return node().cuts();
  }

  @Override
  public NodeId self() {
    return node().self();
  }

  @Override
  public GridLevel level() {
    return node().level();
  }

  @Override
  public Topology topology() {
    return node().topology();
  }

  @Override
  public GridView view() {
    return node().view();
  }

  @Override
  public DataPlace dataPlace() {
    return node().dataPlace();
  }

  @Override
  public MemoryFigures entryMemory() {
    return node().entryMemory();
  }

  @Override
  public boolean isHandingOver() {
    return node().isHandingOver();
  }

  @Override
  public HeldVersions heldVersions() {
    return node().heldVersions();
  }

  @Override
  public HotFigures hotEntries() {
    return node().hotEntries();
  }

  @Override
  public long unstoredNanos() {
    return node().unstoredNanos();
  }

  @Override
  public ShardMap shardMap() {
    return node().shardMap();
  }

  @Override
  public OrderedView<VersionChain> top() {
    return node().top();
  }

  @Override
  public long entries(long kcl) {
    return node().entries(kcl);
  }

  @Override
  public ChangeAnswer changes(ChangeQuery query, ChangeFilter filter) {
    return node().changes(query, filter);
  }

  @Override
  public KclSize size(long kcl) {
    return node().size(kcl);
  }

  @Override
  public void belongsWhere(CompositeKey key, byte[] value) {
    node().belongsWhere(key, value);
  }

  @Override
  public void tellTraffic(Traffic listener) {
    node().tellTraffic(listener);
  }

  @Override
  public void onGrowth(GrowthListener listener) {
    node().onGrowth(listener);
  }

  @Override
  public boolean isReady() {
    return node().isReady();
  }

  @Override
  public @Nullable Throwable failure() {
    return node().failure();
  }

  @Override
  public long oldestTransactionNanos() {
    return node().oldestTransactionNanos();
  }

  @Override
  public GmuCounters counters() {
    return node().counters();
  }

  @Override
  public NodeCalls calls() {
    return node().calls();
  }

  @Override
  public NodeThreads threads() {
    return node().threads();
  }

  @Override
  public void prepareToLeave() {
    node().prepareToLeave();
  }

  @Override
  public void prepareToLeaveForGood() {
    node().prepareToLeaveForGood();
  }

  @Override
  public void abandon() {
    node().abandon();
  }

  @Override
  public void close() {
    node().close();
  }
}
