package io.canopygrid.client;

import io.canopygrid.CanopyException;
import io.canopygrid.CloneSource;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridInfo;
import io.canopygrid.IndexClone;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexStructure;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.client.server.ClusterView;
import io.canopygrid.client.server.RemoteClones;
import io.canopygrid.client.server.RemoteFeed;
import io.canopygrid.client.server.RemoteIndex;
import io.canopygrid.client.server.RemotePrepared;
import io.canopygrid.client.server.RemoteStructure;
import io.canopygrid.client.transaction.RemoteFunction;
import io.canopygrid.client.transaction.RemoteTransaction;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.EngineFeed;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.FeedStart;
import io.canopygrid.engine.FlattenStep;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.Pace;
import io.canopygrid.engine.PreparedTransactions;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.List;
import java.util.Optional;

/** Transactions at servers. Thread-safe. */
final class RemoteEngine implements Engine {
  private final ClusterView cluster;
  private final RemoteClones clones;
  private final RemotePrepared prepared;

  RemoteEngine(ClusterView cluster) {
    this.cluster = cluster;
    this.clones = new RemoteClones(cluster);
    this.prepared = new RemotePrepared(cluster);
  }

  /** Asks any server, and another one where the connection is lost. */
  <R extends Reply> R ask(Request request, Class<R> wanted) {
    return cluster.questions().ask(request, wanted);
  }

  /** Asks any server; empty: it is of an older release, which lacks that feature. */
  <R extends Reply> Optional<R> askIfAble(long feature, Request request, Class<R> wanted) {
    return cluster.questions().askIfAble(feature, request, wanted);
  }

  /** Asks the server of an address once, or another one if it is gone; it must have a feature. */
  <R extends Reply> R askAt(String address, long feature, Request request, Class<R> wanted) {
    return cluster.questions().askAt(address, feature, request, wanted);
  }

  @Override
  public Pace pace() {
    return Pace.MACHINE;
  }

  @Override
  public OpenIndex open(EntryCodec<?, ?> entries, IndexOptions create) {
    cluster.grid().tell();
    return cluster
        .indexes()
        .open(
            new Request.OpenIndex(
                entries.index(),
                entries.keys().id(),
                entries.values().id(),
                true,
                create.subtreeEntriesMax()));
  }

  /** An index that exists, without its codecs. */
  Reply.IndexOpened describe(String name) {
    return ask(new Request.OpenIndex(name, "", "", false, 0), Reply.IndexOpened.class);
  }

  @Override
  public OpenIndex find(EntryCodec<?, ?> entries) {
    cluster.grid().tell();
    return cluster
        .indexes()
        .find(
            new Request.OpenIndex(
                entries.index(), entries.keys().id(), entries.values().id(), false, 0));
  }

  @Override
  public boolean isStill(OpenIndex index) {
    cluster.grid().tell();
    return cluster.indexes().isStill((RemoteIndex) index);
  }

  @Override
  public void checkDrops() {
    cluster.grid().tell();
    cluster.indexes().checkDrops();
  }

  @Override
  public boolean dropIndex(String name) {
    cluster.grid().tell();
    return cluster.indexes().dropIndex(name);
  }

  @Override
  public boolean drop(OpenIndex index) {
    cluster.grid().tell();
    return cluster.indexes().dropEntries((RemoteIndex) index);
  }

  @Override
  public boolean dropTable(String name) {
    cluster.grid().tell();
    return cluster.indexes().dropTable(name);
  }

  @Override
  public List<String> indexes() {
    return ask(new Request.ListIndexes(), Reply.Indexes.class).indexes().stream()
        .map(Reply.IndexOpened::name)
        .toList();
  }

  @Override
  public GridInfo grid() {
    return cluster.grid().present();
  }

  @Override
  public EngineTransaction begin(Begin how) {
    cluster.grid().tell();
    return new RemoteTransaction(cluster, how);
  }

  @Override
  public FunctionResult execute(FunctionRequest request) {
    cluster.grid().tell();
    return new RemoteFunction(cluster, request).run();
  }

  @Override
  public void checkRegisters() {
    throw new CanopyException(
        ErrorCode.INVALID_ARGUMENT,
        "a client registers no functions: the servers load them from jars, see 'canopy server"
            + " --functions', and FunctionProvider");
  }

  @Override
  public IndexStructure structure(String name) {
    return RemoteStructure.of(cluster, name);
  }

  @Override
  public EngineFeed changes(OpenIndex index, FeedStart start) {
    cluster.grid().tell();
    return RemoteFeed.open(cluster, (RemoteIndex) index, start);
  }

  @Override
  public IndexClone cloneIndex(String name, CloneSource source) {
    return clones.make(name, source);
  }

  @Override
  public List<IndexClone> clones() {
    return clones.list();
  }

  @Override
  public FlattenStep flatten(String name, int number) {
    return clones.flatten(name, number);
  }

  @Override
  public PreparedTransactions prepared() {
    return prepared;
  }

  /** Asks once: the snapshot may have been taken when the connection is lost, and is not twice. */
  @Override
  public NamedSnapshot snapshot(String name) {
    Request request = new Request.TakeSnapshot(name);
    return cluster.questions().askOnce(request, Reply.Snapshots.class).snapshots().get(0);
  }

  @Override
  public List<NamedSnapshot> snapshots() {
    return ask(new Request.ListSnapshots(), Reply.Snapshots.class).snapshots();
  }

  /**
   * Asks again when the connection is lost, and may then find that there is no snapshot any more.
   */
  @Override
  public boolean dropSnapshot(String name) {
    return ask(new Request.DropSnapshot(name), Reply.Count.class).count() > 0;
  }

  @Override
  public void close() {
    cluster.close();
  }
}
