package io.canopygrid.gmu.infinispan.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose streams have TLS once it is connected. Its handshake has a limit, and closing it
 * waits for nothing: an {@link SSLSocket} by itself has neither, and JGroups drops the bytes that
 * are still on their way when it closes one.
 */
final class SecuredSocket extends Socket {
  /** For each word of the handshake. */
  private static final int PATIENCE_MILLIS = 2_000;

  private final NodeIdentity identity;
  private volatile @Nullable SSLSocket secured;

  SecuredSocket(NodeIdentity identity) {
    this.identity = identity;
  }

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    connect(endpoint, 0);
  }

  @Override
  public void connect(SocketAddress endpoint, int timeout) throws IOException {
    super.connect(endpoint, timeout);
    boolean isDone = false;
    try {
      setSoTimeout(PATIENCE_MILLIS);
      secured = identity.call(this);
      setSoTimeout(0);
      isDone = true;
    } finally {
      if (!isDone) {
        close();
      }
    }
  }

  /** The side that was called; what {@link #connect} does at the other. */
  void accepted() throws IOException {
    setSoTimeout(PATIENCE_MILLIS);
    secured = identity.accept(this);
    setSoTimeout(0);
  }

  /** The stream below until the handshake is done, which is over it. */
  @Override
  public InputStream getInputStream() throws IOException {
    SSLSocket done = secured;
    return done == null ? super.getInputStream() : done.getInputStream();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    SSLSocket done = secured;
    return done == null ? super.getOutputStream() : done.getOutputStream();
  }
}
