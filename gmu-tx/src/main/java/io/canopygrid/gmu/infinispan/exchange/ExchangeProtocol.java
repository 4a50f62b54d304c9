package io.canopygrid.gmu.infinispan.exchange;

import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import io.canopygrid.gmu.infinispan.tls.StackProtection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.View;
import org.jgroups.annotations.Property;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Listens for members that ask on connections of their own, at the node's port and some more, and
 * opens such connections to other members. All goes through the channel where a stack does without
 * this protocol, where the port would be above the highest there is, and where the stack protects
 * its messages by itself, since these connections would not. Where the node has an identity they
 * have TLS as the channel has.
 *
 * <p>Public for JGroups, which makes it by name, and for tests of networks that fail. Thread-safe.
 */
public class ExchangeProtocol extends Protocol {
  private static final int PORT_MAX = 65_535;
  private static final int BACKLOG = 100;
  private static final int OPEN_MILLIS_MAX = 1_000;
  private static final long LOOK_MILLIS = 25;

  /** The pause before connections are accepted again after a failure. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** More than all members of a large grid open. */
  private static final int SERVED_MAX = 4_096;

  /** The most connections that have not said yet whose they are. */
  private static final int UNKNOWN_MAX = 64;

  @Property(description = "The port is that of the transport and so many more")
  private int offset = 200;

  private final Map<String, Exchanges> grids = new ConcurrentHashMap<>();
  private final Set<Served> served = ConcurrentHashMap.newKeySet();
  private volatile Set<Address> members = Set.of();
  private @Nullable NodeIdentity identity;
  private @Nullable ServerSocketChannel listening;
  private @Nullable Future<?> looking;

  /** For JGroups. */
  public ExchangeProtocol() {}

  /** Sets the distance of the port from the transport's, on all nodes the same. */
  public final void offset(int value) {
    offset = value;
  }

  /** Lets nodes of that identity ask, with TLS, and nobody else; before the stack starts. */
  public final void identity(NodeIdentity value) {
    identity = value;
  }

  /** The distance of the port from the transport's. */
  public final int offset() {
    return offset;
  }

  /**
   * Lets the members of a grid ask each other from now on.
   *
   * @throws IllegalStateException where the grid is known already
   */
  public final Exchanges join(String grid, ExchangeChannel channel) {
    GridConnections connections = new GridConnections(grid, new ChannelMembers(), channel);
    Exchanges exchanges = new Exchanges(connections, leaving -> leave(grid, leaving));
    if (grids.putIfAbsent(grid, exchanges) != null) {
      throw new IllegalStateException("exchanges of grid '" + grid + "' are there already");
    }
    return exchanges;
  }

  private void leave(String grid, Exchanges exchanges) {
    grids.remove(grid, exchanges);
    served.stream().filter(one -> one.asks(exchanges)).forEach(Served::close);
  }

  /**
   * Whether the messages of that member arrive. In a network that works they do; a test overrides
   * this.
   */
  protected boolean arrives(Address from) {
    return true;
  }

  private boolean isAt(Address member, InetAddress host) {
    InetSocketAddress known = listenersOf(member);
    return known != null && host.equals(known.getAddress());
  }

  private boolean isMember(Address address) {
    return members.contains(address);
  }

  /** The members of this channel, for the connections of a grid. */
  private final class ChannelMembers implements GridConnections.Members {
    @Override
    public boolean isMember(Address address) {
      return members.contains(address);
    }

    @Override
    public boolean arrives(Address from) {
      return ExchangeProtocol.this.arrives(from);
    }

    @Override
    public BlockingConnection open(Address to, String grid) throws IOException {
      return ExchangeProtocol.this.open(to, grid);
    }

    @Override
    public boolean isRun(Runnable task) {
      return getTransport().getThreadPool().execute(task);
    }
  }

  /** The grids of this node, for connections that others open. */
  private final class GridEntrance implements Served.Entrance {
    @Override
    public @Nullable Exchanges grid(String name) {
      return grids.get(name);
    }

    @Override
    public boolean isFor(Hello hello, InetAddress from) {
      return hello.to().equals(local_addr) && isMember(hello.from()) && isAt(hello.from(), from);
    }
  }

  @Override
  public void start() throws Exception {
    super.start();
    if (isOff()) {
      return;
    }
    InetSocketAddress here = listenersOf(local_addr);
    if (here != null) {
      ServerSocketChannel socket = ServerSocketChannel.open();
      try {
        socket.bind(here, BACKLOG);
      } catch (IOException e) {
        socket.close();
        throw e;
      }
      listening = socket;
      thread("canopy-exchanges-" + here.getPort(), () -> listen(socket));
    }
    looking =
        getTransport()
            .getTimer()
            .scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Whether the stack protects what is said, and connections of this protocol would not. */
  private boolean isOff() {
    return identity == null && StackProtection.isIn(getProtocolStack());
  }

  /** The address at which a member listens; null: none, or it is not known. */
  private @Nullable InetSocketAddress listenersOf(Address member) {
    Object physical = down_prot.down(new Event(Event.GET_PHYSICAL_ADDRESS, member));
    return physical instanceof IpAddress at
            && at.getPort() + offset <= PORT_MAX
            && at.getPort() + offset > 0
        ? new InetSocketAddress(at.getIpAddress(), at.getPort() + offset)
        : null;
  }

  private static void thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void listen(ServerSocketChannel socket) {
    while (socket.isOpen()) {
      try {
        accept(socket.accept());
      } catch (IOException | OutOfMemoryError e) {
        // Too many files or threads: that may pass, and nothing depends on being accepted.
        log.debug("%s: nobody is accepted: %s", local_addr, e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void accept(SocketChannel channel) throws IOException {
    Served one = new Served(channel, identity);
    served.add(one);
    boolean runs = false;
    try {
      if (isExpected(channel)) {
        thread("canopy-exchange-" + channel.getRemoteAddress(), () -> serve(one));
        runs = true;
      }
    } finally {
      if (!runs) {
        served.remove(one);
        one.close();
      }
    }
  }

  /**
   * Whether a connection gets a thread, which waits for its hello: it comes from where a member is,
   * and few others wait for theirs.
   */
  private boolean isExpected(SocketChannel channel) {
    InetAddress from = channel.socket().getInetAddress();
    return served.size() <= SERVED_MAX
        && served.stream().filter(one -> !one.isKnown()).count() <= UNKNOWN_MAX
        && members.stream().anyMatch(member -> isAt(member, from));
  }

  private void serve(Served one) {
    try (one) {
      one.run(new GridEntrance());
    } catch (IOException e) {
      log.debug("%s: a connection ends: %s", local_addr, e);
    } finally {
      served.remove(one);
    }
  }

  /** A connection to a member, which knows the grid. */
  private BlockingConnection open(Address to, String grid) throws IOException {
    InetSocketAddress target = listenersOf(to);
    if (target == null) {
      throw new IOException("nobody knows where " + to + " listens");
    }
    SocketChannel channel = SocketChannel.open();
    boolean isOpen = false;
    try {
      // From the address by which the member knows this node.
      channel.bind(new InetSocketAddress(getTransport().getBindAddress(), 0));
      channel.socket().connect(target, OPEN_MILLIS_MAX);
      FreshConnection fresh = FreshConnection.called(channel, identity);
      new Hello(local_addr, to, grid).sayTo(fresh.socket());
      BlockingConnection connection = new BlockingConnection(fresh.channel());
      isOpen = true;
      return connection;
    } finally {
      if (!isOpen) {
        channel.close();
      }
    }
  }

  private void look() {
    long now = System.nanoTime();
    grids.values().forEach(grid -> grid.look(now));
    served.stream().filter(one -> one.isToEnd(this::isMember, now)).forEach(Served::close);
  }

  @Override
  public @Nullable Object down(Event event) {
    if (event.getType() == Event.VIEW_CHANGE) {
      // Without members no node is asked or served.
      members = isOff() ? Set.of() : Set.copyOf(event.<View>getArg().getMembers());
      look();
    }
    return down_prot.down(event);
  }

  @Override
  public void stop() {
    super.stop();
    Future<?> look = looking;
    if (look != null) {
      look.cancel(false);
    }
    ServerSocketChannel socket = listening;
    if (socket != null) {
      try {
        socket.close();
      } catch (IOException e) {
        log.debug("%s: %s", local_addr, e);
      }
    }
    members = Set.of();
    look();
    served.forEach(Served::close);
  }
}
