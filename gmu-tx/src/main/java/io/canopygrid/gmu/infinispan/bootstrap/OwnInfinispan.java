package io.canopygrid.gmu.infinispan.bootstrap;

import static java.util.stream.Collectors.joining;

import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;

/** An Infinispan for a node that brings its own, on a TCP stack that needs no multicast. */
final class OwnInfinispan {
  /** The JGroups stack of a node that names none. */
  static final String STACK = "/io/canopygrid/gmu/infinispan/canopy-stack.xml";

  private static final int HEARTBEATS_PER_TIMEOUT = 5;
  private static final long VERIFY_MILLIS_MAX = 1_000;
  private static final long PORT_PATIENCE_MILLIS = 1_000;
  private static final long PORT_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Loggers that are held here, because a logger without a reference forgets its level. */
  private static final List<Logger> QUIET =
      List.of(Logger.getLogger("org.infinispan"), Logger.getLogger("org.jgroups"));

  private OwnInfinispan() {}

  /**
   * Starts it.
   *
   * @param announce tells it of the grid's cache, before any other node can see this one:
   *     Infinispan lets a leader that does not know the settings of a cache go on with any part of
   *     its members
   * @param patienceMillis after which it is ended again where it is not a node yet
   * @throws JoinException where a port is taken or is another node's, the network cannot be used
   *     otherwise, or the time has passed
   * @throws CancellationException where the thread is interrupted
   */
  static EmbeddedCacheManager start(
      String clusterName,
      NetworkSettings network,
      Consumer<EmbeddedCacheManager> announce,
      long patienceMillis) {
    beQuiet();
    try {
      JChannel channel = channel(network);
      Admission.check(network, channel.getProtocolStack());
      checkPorts(network, channel.getProtocolStack());
      ConfigurationBuilderHolder holder =
          new ConfigurationBuilderHolder(
              OwnInfinispan.class.getClassLoader(),
              configuration(clusterName, channel, network.zone()));
      DefaultCacheManager caches = new DefaultCacheManager(holder, false);
      announce.accept(caches);
      PlainDigits.during(() -> new TimedStart(channel, caches).within(patienceMillis));
      return caches;
    } catch (JoinException | CancellationException e) {
      throw e;
    } catch (Exception e) {
      throw failed(network, e);
    }
  }

  /**
   * Checks the ports before Infinispan does, which tells it in some hundred lines; and before two
   * nodes of one machine talk to each other at ports that are for something else, which no log
   * tells.
   */
  private static void checkPorts(NetworkSettings network, ProtocolStack stack) throws IOException {
    InetAddress here = InetAddress.getByName(network.bindAddress());
    List<NodePort> own = NodePort.of(stack, network);
    checkFree(network, here, own.get(0));
    for (InetSocketAddress host : initialHosts(network)) {
      int other = host.getPort();
      if (here.equals(host.getAddress())
          && other != network.port()
          && NodePort.overlap(own, other - network.port())) {
        String taken = own.stream().skip(1).map(NodePort::toString).collect(joining(" and "));
        String message =
            String.format(
                Locale.ROOT,
                "ports %d and %d at %s overlap: a node takes its port %s as well",
                network.port(),
                other,
                network.bindAddress(),
                taken);
        throw new JoinException(Reason.PORTS_OVERLAP, message, null);
      }
    }
    for (NodePort port : own.subList(1, own.size())) {
      // A protocol with a range of ports takes another port where one is in use.
      if (port.isOne() && network.port() + port.first() <= NetworkSettings.PORT_MAX) {
        checkFree(network, here, port);
      }
    }
  }

  /**
   * Checks that a port is free, and waits a while for it: a node that has just ended, to start
   * again, may still have the port, since a thread of JGroups closes it.
   */
  private static void checkFree(NetworkSettings network, InetAddress here, NodePort port) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PORT_PATIENCE_MILLIS);
    for (; ; ) {
      try {
        new ServerSocket(network.port() + port.first(), 1, here).close();
        return;
      } catch (IOException e) {
        if (System.nanoTime() - deadline > 0) {
          throw inUse(network, port, e);
        }
        if (Thread.currentThread().isInterrupted()) {
          throw new CancellationException("interrupted while starting");
        }
        LockSupport.parkNanos(PORT_POLL_NANOS);
      }
    }
  }

  private static JoinException inUse(NetworkSettings network, NodePort port, Exception cause) {
    String message =
        String.format(
            Locale.ROOT,
            "%s at %s is in use, or the address is not this machine's",
            port.at(network.port()),
            network.bindAddress());
    return new JoinException(Reason.PORT_IN_USE, message, cause);
  }

  /** Start-up and views are logged in one line of our own; a level that a user has set stays. */
  private static void beQuiet() {
    for (Logger logger : QUIET) {
      if (logger.getLevel() == null) {
        logger.setLevel(Level.WARNING);
      }
    }
  }

  /** A builder, since a finished configuration would lose the channel. */
  private static GlobalConfigurationBuilder configuration(
      String clusterName, JChannel channel, Optional<String> zone) {
    GlobalConfigurationBuilder builder = GlobalConfigurationBuilder.defaultClusteredBuilder();
    builder.transport().transport(new JGroupsTransport(channel)).clusterName(clusterName);
    zone.ifPresent(place -> {
      String[] siteAndRack = place.split("/", 2);
      builder.transport().siteId(siteAndRack[0]);
      if (siteAndRack.length > 1) {
        builder.transport().rackId(siteAndRack[1]);
      }
    });
    builder.cacheContainer().statistics(false);
    builder.metrics().gauges(false).histograms(false);
    builder.jmx().disable();
    builder.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
    return builder;
  }

  private static JChannel channel(NetworkSettings network) throws Exception {
    JChannel channel = network.stack().isPresent() ? of(network.stack().get()) : ownStack();
    network.nodeName().ifPresent(channel::setName);
    ProtocolStack stack = channel.getProtocolStack();
    TP transport = stack.getTransport();
    transport.setBindAddress(InetAddress.getByName(network.bindAddress()));
    transport.setBindPort(network.port());
    FD_SOCK2 sockets = stack.findProtocol(FD_SOCK2.class);
    if (sockets != null) { // by itself it would listen on every address of the machine
      sockets.setBindAddress(transport.getBindAddress());
    }
    setFurtherPorts(stack, network);
    TCPPING ping = stack.findProtocol(TCPPING.class);
    if (ping != null) {
      ping.setInitialHosts(initialHosts(network));
    }
    setFailureTimeout(stack, network.failureTimeoutMillis());
    Admission.apply(network, stack);
    return channel;
  }

  /** JGroups has them as distances from the node's port, by which others find them. */
  private static void setFurtherPorts(ProtocolStack stack, NetworkSettings network) {
    FD_SOCK2 watch = stack.findProtocol(FD_SOCK2.class);
    if (watch != null && network.watchPort() != 0) {
      watch.setOffset(network.watchPort() - network.port()).setPortRange(0);
    }
    ExchangeProtocol exchange = stack.findProtocol(ExchangeProtocol.class);
    if (exchange != null && network.exchangePort() != 0) {
      exchange.offset(network.exchangePort() - network.port());
    }
  }

  private static JChannel ownStack() throws Exception {
    try (InputStream stack = OwnInfinispan.class.getResourceAsStream(STACK)) {
      if (stack == null) {
        throw new IOException("not on the class path: " + STACK);
      }
      return new JChannel(stack);
    }
  }

  /** Why a stack file cannot be used, in words; null: it can. */
  static @Nullable String stackProblem(Path stack) {
    try {
      of(stack).close();
      return null;
    } catch (JoinException e) {
      return e.getMessage();
    }
  }

  private static JChannel of(Path stack) {
    try (InputStream in = Files.newInputStream(stack)) {
      return new JChannel(in);
    } catch (NoSuchFileException e) {
      throw new JoinException(Reason.STACK_UNUSABLE, "stack: there is no file " + stack, e);
    } catch (Exception e) {
      String message = "stack " + stack + " cannot be used: " + rootMessage(e);
      throw new JoinException(Reason.STACK_UNUSABLE, message, e);
    }
  }

  /** Splits the time that a node may be silent between noticing that and asking it once more. */
  private static void setFailureTimeout(ProtocolStack stack, long millis) {
    long verifyMillis = Math.min(VERIFY_MILLIS_MAX, millis / HEARTBEATS_PER_TIMEOUT);
    long silentMillis = millis - verifyMillis;
    VERIFY_SUSPECT2 verify = stack.findProtocol(VERIFY_SUSPECT2.class);
    if (verify != null) {
      verify.setTimeout(verifyMillis);
    }
    FD_ALL3 detector = stack.findProtocol(FD_ALL3.class);
    if (detector != null) {
      detector.setTimeout(silentMillis);
      detector.setInterval(silentMillis / HEARTBEATS_PER_TIMEOUT);
    }
  }

  /** The addresses at which to look for other nodes; this node is among them. */
  static List<InetSocketAddress> initialHosts(NetworkSettings network) throws UnknownHostException {
    List<InetSocketAddress> hosts = new ArrayList<>();
    hosts.add(new InetSocketAddress(InetAddress.getByName(network.bindAddress()), network.port()));
    for (String host : network.initialHosts()) {
      int colon = host.lastIndexOf(':');
      if (colon < 1) {
        throw new IllegalArgumentException("must be host:port: " + host);
      }
      int port = Integer.parseInt(host.substring(colon + 1));
      hosts.add(new InetSocketAddress(host.substring(0, colon), port));
    }
    return hosts;
  }

  private static JoinException failed(NetworkSettings network, Exception cause) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof BindException) {
        return inUse(network, NodePort.OWN, cause);
      }
    }
    String message = "cannot start the network: " + rootMessage(cause);
    return new JoinException(Reason.FAILED, message, cause);
  }

  private static @Nullable String rootMessage(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }
}
