package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.transport.ForkTransport;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.recovery.RoundMessage;
import io.canopygrid.gmu.recovery.Standing;
import io.canopygrid.gmu.storage.Recovered;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a disk in the joining of its node: the grid is founded from it and others, or it is
 * out of date and dropped; and it is of that grid from then on. Of a node without a disk nothing is
 * done, unless a {@link FoundingRound} is given. Confined to the thread that joins, except {@link
 * #heard} and {@link #isKnown}.
 */
final class DiskStart {
  private static final Logger LOG = LoggerFactory.getLogger(DiskStart.class);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final GridSettings settings;
  private final @Nullable NodeDisk disk;
  private final GridCache cache;
  private final ForkTransport transport;
  private final JoinHandshake handshake;
  private final HostedNode node;
  private final Beginning beginning;
  private final BiFunction<Reason, String, JoinException> refuse;
  private final BooleanSupplier isLeaving;
  private final @Nullable DiskRound diskRound;

  /** Held where no grid serves; null: nodes have nothing on disk. */
  private final @Nullable FoundingRound round;

  /** The content of the disk, until the node has begun with it or without. */
  private Recovered recovered;

  /**
   * For one node.
   *
   * @param recovered the content of the disk
   * @param refuse notes why the node does not join
   * @param other how nodes agree on a founding; null: those with disks as {@link DiskRound} says
   */
  DiskStart(
      GridSettings settings,
      @Nullable NodeDisk disk,
      Recovered recovered,
      GridCache cache,
      ForkTransport transport,
      JoinHandshake handshake,
      HostedNode node,
      TopologyInstaller topologies,
      BiFunction<Reason, String, JoinException> refuse,
      BooleanSupplier isLeaving,
      @Nullable FoundingRound other) {
    this.settings = settings;
    this.disk = disk;
    this.recovered = recovered;
    this.cache = cache;
    this.transport = transport;
    this.handshake = handshake;
    this.node = node;
    this.beginning = topologies.beginning();
    this.refuse = refuse;
    this.isLeaving = isLeaving;
    this.diskRound = disk == null ? null : roundOf(disk, recovered, topologies);
    this.round = other == null ? diskRound : other;
  }

  /**
   * The content of a disk, of which only TOP is read. All is read where a cut is likely, and now:
   * when the nodes have agreed on a founding they wait for each other no longer than
   * cluster.joinTimeout.
   */
  static Recovered content(NodeDisk disk, GridSettings settings) {
    Recovered closed = disk.recovered(settings.shardMap().top());
    boolean cuts = closed.mayLack() || closed.begunCut() != null;
    return cuts ? opened(disk, settings, closed) : closed;
  }

  private static Recovered opened(NodeDisk disk, GridSettings settings, Recovered closed) {
    // Keys take memory, too.
    long valueBytesMax = settings.node().protocol().entryBytesMax() / 2;
    return disk.storage().opened(closed, valueBytesMax);
  }

  private DiskRound roundOf(NodeDisk own, Recovered content, TopologyInstaller topologies) {
    Standing standing = Standing.of(own.id(), own.grid(), content).with(own.losses());
    tell(standing);
    MemberNames names = new MemberNames(own.notes());
    topologies.onMembers(names::are);
    DiskWait wait =
        new DiskWait(
            settings.name(),
            settings.shards(),
            names::of,
            there -> transport.name(there) + " at " + transport.address(there));
    return new DiskRound(
        settings,
        standing.usedBy(node.self()),
        transport,
        transport::others,
        node::promise,
        this::isServed,
        new DiskDesk(wait, names, own));
  }

  /** One line on the disk as it was opened. */
  private void tell(Standing opened) {
    long complete = opened.complete().stream().filter(shard -> shard < settings.shards()).count();
    LOG.warn(
        "data directory {}, durability {}: {}",
        settings.dataDirectory(),
        settings.durability(),
        opened.grid() == null && opened.complete().isEmpty()
            ? "empty"
            : String.format(
                Locale.ROOT,
                "data of grid %s, complete copies of %d of %d shards%s",
                opened.grid() == null ? "(not known yet)" : opened.grid(),
                complete,
                settings.shards(),
                opened.mayLack() ? "; a power cut may have taken what was written last" : ""));
  }

  /** Whether a member of the grid has answered; asks them once more. */
  private boolean isServed() {
    if (!handshake.isAnswered()) {
      handshake.ask(transport.others());
    }
    return handshake.isAnswered();
  }

  /** A message of another node about the founding. */
  void heard(NodeId source, RoundMessage message) {
    if (diskRound != null) {
      diskRound.heard(source, message);
    }
  }

  /** Whether it is known which grid the disk is of. */
  boolean isKnown() {
    return disk != null && disk.grid() != null;
  }

  /**
   * Founds the grid together with the others, where none serves. Returns also where nothing is to
   * be founded from disks.
   */
  void found() {
    FoundingPlacement founding =
        round == null || handshake.isAnswered() ? null : round.agree(node.self());
    if (founding == null) {
      return;
    }
    Invariant.holds(
        founding.owners().size() == settings.shards(),
        "%s shards are founded of %s",
        founding.owners().size(),
        settings.shards());
    boolean takesPart = founding.members().contains(node.self());
    if (takesPart) {
      if (disk != null) {
        disk.joins(founding.grid());
      }
      beginning.founds(founding, founding.cut() == null ? recovered : opened());
      recovered = Recovered.NOTHING;
    }
    checkPresent(founding);
    if (!cache.found(founding)) {
      throw notFounded(Reason.LEFT_ALONE, "Infinispan does not see all of its members");
    }
    if (!takesPart) {
      awaitFounded(founding);
      cache.forgetFounding();
    }
  }

  /**
   * Waits until a member of the grid answers, which none does before the grid is founded. A node
   * that joined earlier would be let into an empty grid.
   */
  private void awaitFounded(FoundingPlacement founding) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.joinTimeoutMillis());
    while (!isServed()) {
      checkPresent(founding);
      JoinSteps.checkInterrupted(settings.name());
      if (System.nanoTime() - deadline > 0) {
        throw notFounded(Reason.TIMED_OUT, "its members take too long");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private void checkPresent(FoundingPlacement founding) {
    Set<NodeId> missing = new HashSet<>(founding.members());
    missing.removeAll(transport.others());
    missing.remove(node.self());
    if (!missing.isEmpty()) {
      throw notFounded(Reason.LEFT_ALONE, missing + " left before all were ready");
    }
  }

  private JoinException notFounded(Reason reason, String why) {
    return refuse.apply(reason, beginning.notFounded(why));
  }

  /** Drops what the disk has, unless the grid is founded from it: it is out of date. */
  void joinWithout() {
    if (disk == null || beginning.isFounding()) {
      return;
    }
    String misfit = handshake.misfit();
    if (misfit != null) {
      throw refuse.apply(Reason.SETTINGS_DIFFER, misfit);
    }
    node.joins(opened());
    recovered = Recovered.NOTHING;
  }

  /** All that the disk has: what may have to be dropped of it has to be read. */
  private Recovered opened() {
    return disk == null ? recovered : opened(disk, settings, recovered);
  }

  /** Sees to it that the disk is of this grid from now on, also one that has had no data yet. */
  void learnGrid() {
    if (disk == null || isLeaving.getAsBoolean()) {
      return;
    }
    UUID known = disk.grid();
    if (known != null || beginning.hasFoundedNew()) {
      disk.joins(known == null ? UUID.randomUUID() : known);
      return;
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.joinTimeoutMillis());
    UUID grid = handshake.grid();
    while (grid == null && !isLeaving.getAsBoolean()) {
      JoinSteps.checkInterrupted(settings.name());
      if (System.nanoTime() - deadline > 0) {
        throw refuse.apply(Reason.TIMED_OUT, "no member has told which grid it is");
      }
      handshake.ask(transport.others());
      LockSupport.parkNanos(POLL_NANOS);
      grid = handshake.grid();
    }
    if (grid != null) {
      disk.joins(grid);
    }
  }
}
