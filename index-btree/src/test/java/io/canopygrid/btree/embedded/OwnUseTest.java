package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.IndexOptions;
import io.canopygrid.Placement;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.catalog.CloneLimits;
import io.canopygrid.btree.catalog.KeyPlaces;
import io.canopygrid.btree.control.BalanceLimits;
import io.canopygrid.btree.feed.FeedLimits;
import io.canopygrid.btree.ledger.LedgerSetup;
import io.canopygrid.btree.structure.BalanceSetup;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.transaction.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node reports the use by its own callers: three nodes, two of which have the entries. */
final class OwnUseTest {
  private static final EntryCodec<Long, String> ENTRIES =
      new EntryCodec<>("used", Codec.int64(), Codec.string());
  private static final byte[] KEY = Codec.int64().encode(1L);

  private final InProcessNetwork network =
      InProcessNetwork.start(
          3, 2, new ShardMap(8), NodeSettings.DEFAULT, BPlusTree.factory(16), new SubtreeFences());
  private final List<EmbeddedEngine> engines = new ArrayList<>();

  private void start(Placement placement) {
    for (int i = 0; i < 3; i++) {
      engines.add(engine(i, placement));
    }
    TreeTransaction fill = engines.get(0).beginServed(how(ReadFrom.PRIMARY));
    fill.on(index(0)).put(KEY, new byte[1]);
    fill.commit();
    for (int i = 0; i < 3; i++) {
      assertThat(used(i)).as("node %s, before", i).isFalse();
    }
  }

  /**
   * Starts an engine in place of the one before, which has counted something. That one stays open:
   * its end would be the node's.
   */
  private void restart(int node) {
    engines.set(node, engine(node, Placement.NEAR));
  }

  private EmbeddedEngine engine(int node, Placement placement) {
    BalanceLimits limits = new BalanceLimits(false, 8, 128, 20_000, placement, 1_000);
    return new EmbeddedEngine(
        network.node(node),
        SplitLimits.DEFAULT,
        BalanceSetup.byHand(limits),
        LedgerSetup.DEFAULT,
        TableBatches.DEFAULT,
        FeedLimits.DEFAULT,
        CloneLimits.DEFAULT,
        new Session());
  }

  @AfterEach
  void close() {
    engines.forEach(EmbeddedEngine::close);
  }

  private IndexRef index(int node) {
    return (IndexRef) engines.get(node).open(ENTRIES, IndexOptions.DEFAULTS);
  }

  private Begin how(ReadFrom readFrom) {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    return new Begin(Mode.UPDATE, VectorClock.ZERO, deadlineNanos, "", readFrom, "");
  }

  /** Whether a node says that its own callers use the index. */
  private boolean used(int node) {
    return engines.get(node).balance().controller().own().uses().values().stream()
        .anyMatch(perSecond -> perSecond > 0);
  }

  /** The owners' numbers, the primary's first, then that of the node without a copy. */
  private List<Integer> byRole() {
    List<NodeId> owners =
        network
            .node(0)
            .topology()
            .shard(new KeyPlaces(network.node(0)).shardOf(index(0), KEY))
            .owners();
    List<Integer> roles = new ArrayList<>();
    for (NodeId owner : owners) {
      for (int i = 0; i < 3; i++) {
        if (network.node(i).self().equals(owner)) {
          roles.add(i);
        }
      }
    }
    roles.add(3 - roles.get(0) - roles.get(1));
    return roles;
  }

  /**
   * A read of the entry.
   *
   * @param found whether it was there: a backup may show the past
   */
  private record Seen(boolean found, int remoteRequests) {
    /** Whether the node's own backup has shown the present. */
    boolean isPresentHere() {
      return found && remoteRequests == 0;
    }
  }

  private Seen read(int node, ReadFrom readFrom) {
    TreeTransaction tx = engines.get(node).begin(how(readFrom));
    boolean found = tx.on(index(node)).get(KEY) != null;
    if (!found) {
      assertThat(readFrom).as("only a backup may show the past").isEqualTo(ReadFrom.NEAREST);
    }
    tx.end();
    return new Seen(found, tx.remoteRequests());
  }

  @Test
  void readsOfThePrimaryCountWhereverTheCallerIs() {
    start(Placement.NEAR);
    for (int node : byRole()) {
      read(node, ReadFrom.PRIMARY);
      assertThat(used(node)).as("node %s", node).isTrue();
    }
  }

  @Test
  void readsOfANodesOwnBackupDoNot() {
    start(Placement.NEAR);
    int backup = byRole().get(1);
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!read(backup, ReadFrom.NEAREST).isPresentHere()) {
      assertThat(System.nanoTime()).as("until a watermark comes").isLessThan(deadlineNanos);
    }
    // The new engine has not counted what was asked of the primary before.
    restart(backup);
    assertThat(read(backup, ReadFrom.NEAREST).remoteRequests()).isZero();
    assertThat(used(backup)).isFalse();
  }

  @Test
  void writesScansAndCountsDo() {
    start(Placement.NEAR);
    List<Integer> roles = byRole();
    TreeTransaction writer = engines.get(roles.get(0)).begin(how(ReadFrom.PRIMARY));
    writer.on(index(roles.get(0))).put(KEY, new byte[1]);
    assertThat(used(roles.get(0))).as("not committed").isFalse();
    writer.commit();
    assertThat(used(roles.get(0))).as("a write").isTrue();

    TreeTransaction scanner = engines.get(roles.get(1)).begin(how(ReadFrom.PRIMARY));
    assertThat(scanner.on(index(roles.get(1))).scan(KeyRange.ALL, false, 1).advance()).isTrue();
    scanner.end();
    assertThat(used(roles.get(1))).as("a scan").isTrue();

    TreeTransaction counter = engines.get(roles.get(2)).begin(how(ReadFrom.PRIMARY));
    assertThat(counter.on(index(roles.get(2))).count(KeyRange.ALL)).isEqualTo(1);
    counter.end();
    assertThat(used(roles.get(2))).as("a count").isTrue();
  }

  @Test
  void aServersClientsAreNobodysOwn() {
    start(Placement.NEAR);
    for (int node : byRole()) {
      TreeTransaction tx = engines.get(node).beginServed(how(ReadFrom.PRIMARY));
      tx.on(index(node)).get(KEY);
      tx.on(index(node)).put(KEY, new byte[1]);
      tx.commit();
      assertThat(used(node)).as("node %s", node).isFalse();
    }
  }

  @Test
  void whereNobodyDecidesByItNothingIsCounted() {
    start(Placement.EVEN);
    for (int node : byRole()) {
      read(node, ReadFrom.PRIMARY);
      assertThat(used(node)).as("node %s", node).isFalse();
    }
  }
}
