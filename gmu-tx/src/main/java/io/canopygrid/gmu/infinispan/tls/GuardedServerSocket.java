package io.canopygrid.gmu.infinispan.tls;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A server socket whose connections have shown that they are of nodes. Each handshake has a thread,
 * so one that somebody draws out keeps nobody else waiting. Thread-safe.
 */
final class GuardedServerSocket extends ServerSocket {
  /** The most connections that have not shown yet whose they are. */
  private static final int UNKNOWN_MAX = 64;

  private static final long HANDSHAKE_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final long CLOSED_POLL_MILLIS = 100;

  /** The pause before connections are accepted again after a failure. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final NodeIdentity identity;
  private final Set<Unknown> unknown = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<SecuredSocket> known = new LinkedBlockingQueue<>();
  private final AtomicBoolean accepts = new AtomicBoolean();

  /** A connection whose handshake is under way, and since when. */
  private record Unknown(SecuredSocket socket, long since) {}

  GuardedServerSocket(NodeIdentity identity) throws IOException {
    this.identity = identity;
  }

  /** Waits for the next connection of a node. */
  @Override
  public Socket accept() throws IOException {
    if (accepts.compareAndSet(false, true)) {
      thread("canopy-accepts-" + getLocalPort(), this::acceptAll);
    }
    try {
      while (!isClosed()) {
        SecuredSocket socket = known.poll(CLOSED_POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (socket != null) {
          return socket;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new SocketException("Socket closed");
  }

  private void acceptAll() {
    while (!isClosed()) {
      try {
        SecuredSocket socket = new SecuredSocket(identity);
        implAccept(socket);
        Unknown one = new Unknown(socket, System.nanoTime());
        if (hasRoom()) {
          unknown.add(one);
          thread("canopy-handshake-" + socket.getInetAddress(), () -> shake(one));
        } else {
          socket.close();
        }
      } catch (IOException | OutOfMemoryError e) {
        // Too many files or threads: that may pass.
        LockSupport.parkNanos(isClosed() ? 0 : PAUSE_NANOS);
      }
    }
  }

  /** Whether one more may show who it is; those that take too long for that have to go first. */
  private boolean hasRoom() {
    if (unknown.size() >= UNKNOWN_MAX) {
      long now = System.nanoTime();
      unknown.removeIf(one -> now - one.since() > HANDSHAKE_NANOS_MAX && hasEnded(one.socket()));
    }
    return unknown.size() < UNKNOWN_MAX;
  }

  private void shake(Unknown one) {
    SecuredSocket socket = one.socket();
    boolean isKnown = false;
    try {
      socket.accepted();
      isKnown = unknown.remove(one) && known.add(socket);
    } catch (IOException e) {
      identity.refused(socket.getInetAddress(), e);
    } finally {
      unknown.remove(one);
      if (!isKnown || isClosed()) {
        end(socket);
      }
    }
  }

  private static void thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static boolean hasEnded(Socket socket) {
    end(socket);
    return true;
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException ignored) {
      // The connection is given up in any case.
    }
  }

  @Override
  public void close() throws IOException {
    super.close();
    unknown.forEach(one -> end(one.socket()));
    known.forEach(GuardedServerSocket::end);
  }
}
