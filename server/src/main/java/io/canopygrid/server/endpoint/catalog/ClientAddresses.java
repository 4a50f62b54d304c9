package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.GridMember;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.codec.Utf8;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.Mode;
import io.canopygrid.wire.client.Reply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses at which clients reach each node. A system index of the grid has the addresses:
 * every server writes its own when it starts, and removes those of nodes that are gone.
 * Thread-safe.
 */
public final class ClientAddresses {
  private static final Logger LOG = LoggerFactory.getLogger(ClientAddresses.class);
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long TIMEOUT_SECONDS = 10;
  private static final int ATTEMPTS_MAX = 20;

  private final ServedNode node;
  private final IndexRef index;
  private final Supplier<String> own;
  private volatile Map<String, String> known = Map.of();
  private volatile long readNanos = System.nanoTime() - FRESH_NANOS;

  /**
   * Creates the addresses as one node knows them.
   *
   * @param own this server's address, known when its port is open
   */
  public ClientAddresses(ServedNode node, Supplier<String> own) {
    this.node = node;
    this.index = node.openSystem("addresses");
    this.own = own;
  }

  /** This server's own address. */
  String own() {
    return own.get();
  }

  /** Tells the grid this server's address. */
  public void announce() {
    for (int attempt = 1; ; attempt++) {
      ServedTransaction transaction = begin(Mode.UPDATE);
      try {
        Set<String> members = new HashSet<>();
        node.members().forEach(member -> members.add(member.node()));
        for (String other : read(transaction).keySet()) {
          if (!members.contains(other)) {
            transaction.on(index).remove(Utf8.encode(other));
          }
        }
        transaction.on(index).put(Utf8.encode(node.name()), Utf8.encode(own.get()));
        transaction.commit(null);
        return;
      } catch (CanopyException e) {
        if (!e.retryable() || attempt == ATTEMPTS_MAX) {
          throw e;
        }
        LOG.debug("the address is announced again", e);
      } finally {
        transaction.end(false);
      }
    }
  }

  /**
   * The addresses by node. The addresses are read anew when they are a second old. If reading
   * fails, the addresses that were read last are kept; where no shard is served nothing is tried.
   */
  Map<String, String> byNode() {
    if (System.nanoTime() - readNanos >= FRESH_NANOS && node.servedShards() > 0) {
      readNanos = System.nanoTime();
      ServedTransaction transaction = begin(Mode.READ_ONLY);
      try {
        known = Map.copyOf(read(transaction));
      } catch (CanopyException e) {
        LOG.debug("addresses cannot be read now", e);
      } finally {
        transaction.end(true);
      }
    }
    return known;
  }

  private Map<String, String> read(ServedTransaction transaction) {
    Map<String, String> addresses = new HashMap<>();
    EngineScan scan = transaction.on(index).scan(KeyRange.ALL, false, Long.MAX_VALUE);
    while (scan.advance()) {
      addresses.put(Utf8.decode(scan.key()), Utf8.decode(scan.value()));
    }
    return addresses;
  }

  private ServedTransaction begin(Mode mode) {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    return node.begin(
        new Begin(mode, VectorClock.ZERO, deadlineNanos, "canopy.addresses", ReadFrom.PRIMARY, ""));
  }

  /** A member with its address, which is empty where it is not known. */
  Reply.Member withAddress(GridMember member) {
    return new Reply.Member(
        member.node(),
        byNode().getOrDefault(member.node(), ""),
        member.reachable() ? member.primaryShards() : 0,
        member.reachable() ? member.ownedShards() : 0);
  }
}
