package io.canopygrid.client;

import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.GridInfo;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireCodec;
import io.canopygrid.wire.client.WireLimits;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Speaks the protocol on a port of its own; what it answers a script says. */
final class FakeServer implements AutoCloseable {
  /** The grid of servers that are given none. */
  static final GridInfo GRID = new GridInfo(GridId.random(), Instant.EPOCH);

  private final ServerSocket listening;
  private final Script script;
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final List<ClientMessage> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final GridInfo grid;
  private final AtomicInteger stops = new AtomicInteger();
  private volatile long features = WireLimits.FEATURES;

  FakeServer(Script script) throws IOException {
    this(script, 0, GRID);
  }

  /** A server of a grid; at any port where it is 0. */
  FakeServer(Script script, int port, GridInfo grid) throws IOException {
    this.listening = new ServerSocket();
    listening.setReuseAddress(true);
    listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    this.script = script;
    this.grid = grid;
    start(this::accept);
  }

  /** Answers requests; called by one thread for each connection. */
  interface Script {
    /**
     * The answer: null for none.
     *
     * @throws IOException to close the connection
     */
    @Nullable Reply answer(Request request) throws IOException;
  }

  String address() {
    return "127.0.0.1:" + listening.getLocalPort();
  }

  /** Knows only these features from now on, as an older release. */
  void knowsOnly(long bits) {
    features = bits;
  }

  /** Closes so many connections at their question for the cluster, as a server that stops. */
  void stopsWhenAsked(int times) {
    stops.set(times);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** The messages of clients within transactions, in order. */
  List<ClientMessage> received() {
    return received;
  }

  /** Waits for the first message that {@link #received} has. */
  void awaitReceived() throws InterruptedException {
    asked.await();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "fake-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        connections.add(socket);
        start(() -> serve(socket));
      }
    } catch (IOException e) {
      connections.forEach(FakeServer::quietly);
    }
  }

  private static void quietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        WireCodec.Framed framed = WireCodec.decode(frame);
        ClientMessage reply = answer(framed.message());
        if (reply != null) {
          OutputStream out = socket.getOutputStream();
          out.write(WireCodec.encode(framed.stream(), reply));
          out.flush();
        }
      }
    } catch (IOException e) {
      connections.remove(socket);
    }
  }

  private @Nullable ClientMessage answer(ClientMessage message) throws IOException {
    if (message instanceof Request.Hello hello) {
      if (hello.grid() != null && !hello.grid().equals(grid.id())) {
        return new ClientMessage.Goodbye(ErrorCode.GRID_CHANGED.number(), "of " + grid);
      }
      return new Reply.Welcome(
          WireLimits.VERSION,
          hello.features() & features,
          address(),
          "fake",
          grid,
          System.currentTimeMillis(),
          16,
          new Reply.Limits(WireLimits.FRAME_BYTES_MAX, 1_000, 1_000, 1_000, 1 << 30, 60_000),
          List.of());
    }
    if (message instanceof Request.AskCluster) {
      if (stops.getAndDecrement() > 0) {
        throw new EOFException("it stops");
      }
      return new Reply.Cluster(1, List.of());
    }
    if (message instanceof Request.OpenIndex open) {
      Reply told = script.answer(open);
      if (told instanceof Reply.IndexOpened || told instanceof Reply.Failure) {
        return told;
      }
      return new Reply.IndexOpened(1, open.name(), open.keyCodec(), open.valueCodec(), 1_000);
    }
    if (!(message instanceof Request.AskRoutes)) {
      received.add(message);
      asked.countDown();
    }
    return message instanceof Request request ? script.answer(request) : null;
  }

  @Override
  public void close() throws IOException {
    listening.close();
    connections.forEach(FakeServer::quietly);
  }
}
