package io.canopygrid.gmu.infinispan.bootstrap;

import io.canopygrid.FoundingPolicy;
import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Where a node listens, and where it looks for the others.
 *
 * @param bindAddress a host name or address of this machine
 * @param port 1 to 65,535; it is taken or the node does not start
 * @param watchPort one more that is taken, to watch the neighbours, as far from {@code port} on all
 *     nodes; 0: as the stack has it, by default {@code port} + {@value #WATCH_PORT_OFFSET}, from
 *     1,024 on where there is none
 * @param exchangePort one more, the same way, for questions to this node; 0: as the stack has it,
 *     by default {@code port} + {@value #EXCHANGE_PORT_OFFSET}, where there is one
 * @param initialHosts {@code host:port} of some nodes that may be running, this one included or
 *     not; empty: this is the first node
 * @param failureTimeoutMillis after how long a silent node is taken for dead, 1,000 or more; one
 *     whose connections are closed is found dead at once
 * @param stack a JGroups stack file; empty: the one of this module. The other settings are applied
 *     where it has the protocols for them
 * @param found whether this node may begin a grid
 * @param nodeName the name of this node in logs; empty: JGroups makes one
 * @param identity by which nodes know each other; empty: whoever reaches these ports is a node,
 *     unless {@code stack} sees to that
 * @param trustsNetwork whether the ports may be open to other machines like that
 * @param zone where the machine is, as {@code site} or {@code site/rack}: copies of a shard are to
 *     be in different ones; empty: not known
 */
public record NetworkSettings(
    String bindAddress,
    int port,
    int watchPort,
    int exchangePort,
    List<String> initialHosts,
    long failureTimeoutMillis,
    Optional<Path> stack,
    FoundingPolicy found,
    Optional<String> nodeName,
    Optional<NodeIdentity> identity,
    boolean trustsNetwork,
    Optional<String> zone) {
  /** Of the stack that a node has if none is named. */
  public static final int WATCH_PORT_OFFSET = 100;

  /** Of that stack, too. */
  public static final int EXCHANGE_PORT_OFFSET = 200;

  /** The highest there is. */
  public static final int PORT_MAX = 65_535;

  private static final long FAILURE_TIMEOUT_MILLIS_MIN = 1_000;

  /** Settings of a node that founds a grid where all others are known to be absent. */
  public NetworkSettings(
      String bindAddress,
      int port,
      List<String> initialHosts,
      long failureTimeoutMillis,
      Optional<Path> stack) {
    this(bindAddress, port, initialHosts, failureTimeoutMillis, stack, FoundingPolicy.AUTO);
  }

  /** Settings of a node without a name, whose further ports are as its stack has them. */
  public NetworkSettings(
      String bindAddress,
      int port,
      List<String> initialHosts,
      long failureTimeoutMillis,
      Optional<Path> stack,
      FoundingPolicy found) {
    this(
        bindAddress,
        port,
        0,
        0,
        initialHosts,
        failureTimeoutMillis,
        stack,
        found,
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.empty());
  }

  public NetworkSettings {
    initialHosts = List.copyOf(initialHosts);
    if (port < 1 || port > PORT_MAX) {
      throw new IllegalArgumentException("must be 1 to " + PORT_MAX + ": port=" + port);
    }
    if (failureTimeoutMillis < FAILURE_TIMEOUT_MILLIS_MIN) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "must be >= %d: failureTimeoutMillis=%d",
              FAILURE_TIMEOUT_MILLIS_MIN,
              failureTimeoutMillis));
    }
  }

  /** These settings with an identity. */
  NetworkSettings identity(NodeIdentity value) {
    return new NetworkSettings(
        bindAddress,
        port,
        watchPort,
        exchangePort,
        initialHosts,
        failureTimeoutMillis,
        stack,
        found,
        nodeName,
        Optional.of(value),
        trustsNetwork,
        zone);
  }

  /** These settings of a node in a zone. */
  public NetworkSettings zone(String value) {
    return new NetworkSettings(
        bindAddress,
        port,
        watchPort,
        exchangePort,
        initialHosts,
        failureTimeoutMillis,
        stack,
        found,
        nodeName,
        identity,
        trustsNetwork,
        Optional.of(value));
  }

  /**
   * All ports that a node takes which is given that one, on the stack that it has if none is named.
   */
  public static IntStream portsOf(int port) {
    return IntStream.of(0, WATCH_PORT_OFFSET, EXCHANGE_PORT_OFFSET)
        .map(offset -> port + offset)
        .filter(taken -> taken <= PORT_MAX);
  }
}
