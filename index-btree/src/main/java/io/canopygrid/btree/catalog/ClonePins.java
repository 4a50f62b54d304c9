package io.canopygrid.btree.catalog;

import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.ClonePin;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops the pins of clones that were dropped or flattened, once nobody reads the layers any more:
 * no named snapshot and no state of the past shows the clone with its layers, and transactions that
 * have begun before have ended. The primary of TOP does so. Confined to one thread.
 */
public final class ClonePins {
  private static final Logger LOG = LoggerFactory.getLogger(ClonePins.class);
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Most pins that are dropped at a time. */
  private static final int DROPPED_MAX = 4;

  private final GmuNode node;
  private final long graceNanos;

  /** When this node has first seen that a clone needs its pins no more, by the clone's number. */
  private final Map<Integer, Long> endedNanos = new HashMap<>();

  /**
   * The pins as one node sees them.
   *
   * @param graceMillis how long transactions that have begun before may go on
   */
  public ClonePins(GmuNode node, long graceMillis) {
    this.node = node;
    this.graceNanos = TimeUnit.MILLISECONDS.toNanos(graceMillis);
  }

  /** Drops those that nobody needs; leaves for later what fails. */
  public void dropUnneeded() {
    Topology topology = node.topology();
    List<NodeId> owners = topology.shard(topology.top()).owners();
    if (owners.isEmpty() || !owners.get(0).equals(node.self())) {
      endedNanos.clear();
      return;
    }
    OrderedView<VersionChain> top = node.top();
    OrderedCursor<VersionChain> cursor = top.ascending(ClonePin.least().bytes());
    byte[] end = ReservedKcl.PINS.endKey();
    Set<Integer> there = new HashSet<>();
    List<CompositeKey> unneeded = new ArrayList<>();
    while (cursor.next() && Arrays.compareUnsigned(cursor.key(), end) < 0) {
      CompositeKey key = CompositeKey.ofBytes(cursor.key());
      if (ClonePin.is(key.ku()) && cursor.value().value() != null) {
        ClonePin pin = ClonePin.of(key.ku());
        there.add(pin.number());
        if (isUnneeded(top, pin)) {
          unneeded.add(key);
        }
      }
    }
    endedNanos.keySet().retainAll(there);
    for (CompositeKey key : unneeded.subList(0, Math.min(unneeded.size(), DROPPED_MAX))) {
      if (!drop(key)) {
        break;
      }
    }
  }

  private boolean isUnneeded(OrderedView<VersionChain> top, ClonePin pin) {
    VersionChain entries = top.get(CatalogEntry.key(pin.name()).bytes());
    if (entries != null && hasLayers(entries, pin.number())) {
      return false;
    }
    return isGraceOver(pin.number()) && (entries == null || !isShown(top, entries, pin.number()));
  }

  private boolean isGraceOver(int number) {
    long now = node.threads().nanoTime();
    return now - endedNanos.computeIfAbsent(number, any -> now) >= graceNanos;
  }

  /** Whether the newest of these versions is that of the clone with layers. */
  private static boolean hasLayers(VersionChain version, int number) {
    byte[] value = version.value();
    return value != null && CatalogEntry.numberOf(value) == number && CatalogEntry.hasLayers(value);
  }

  /** Whether a snapshot, or a state of the past, shows the clone with layers. */
  private static boolean isShown(OrderedView<VersionChain> top, VersionChain entries, int number) {
    OrderedCursor<VersionChain> pins = top.ascending(ReservedKcl.PINS.firstKey());
    byte[] end = ClonePin.least().bytes();
    while (pins.next() && Arrays.compareUnsigned(pins.key(), end) < 0) {
      byte[] value = pins.value().value();
      VersionChain shown = value == null ? null : visible(entries, Pin.decode(value).clock());
      if (shown != null && hasLayers(shown, number)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable VersionChain visible(VersionChain newest, VectorClock at) {
    VersionChain version = newest;
    while (version != null && !version.clock().precedesOrEquals(at)) {
      version = version.older();
    }
    return version;
  }

  /** False: it was left for later. */
  private boolean drop(CompositeKey key) {
    GmuTransaction transaction =
        node.begin(VectorClock.ZERO, node.threads().nanoTime() + TIMEOUT_NANOS);
    try {
      ReadAnswer.Got found = Catalog.get(transaction, key);
      Footprint footprint =
          new Footprint(
              List.of(new KeyRead(key, found.seen())),
              List.of(),
              List.of(new Write(key, null, null)));
      return found.value() == null || Pins.commit(transaction, footprint);
    } catch (TimeoutException | RuntimeException e) {
      LOG.debug("the pin {} is left for later", key, e);
      return false;
    } finally {
      transaction.end();
    }
  }
}
