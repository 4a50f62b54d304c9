package io.canopygrid.gmu.infinispan.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;

/**
 * A connection with TLS as a channel that blocks, for buffers that have an array. One thread at a
 * time may read and one write; any thread may close it, which ends what another one waits for: it
 * closes the connection below, without the farewell of TLS, for which it would have to wait.
 */
public final class TlsChannel implements ByteChannel {
  private final SocketChannel below;
  private final InputStream in;
  private final OutputStream out;

  /** A channel over a socket whose handshake is done, and the connection below that. */
  public TlsChannel(SSLSocket socket, SocketChannel below) throws IOException {
    this.below = below;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
  }

  @Override
  public int read(ByteBuffer bytes) throws IOException {
    int at = bytes.position();
    int count = in.read(bytes.array(), bytes.arrayOffset() + at, bytes.remaining());
    if (count > 0) {
      bytes.position(at + count);
    }
    return count;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    int count = bytes.remaining();
    out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), count);
    bytes.position(bytes.limit());
    return count;
  }

  @Override
  public boolean isOpen() {
    return below.isOpen();
  }

  @Override
  public void close() throws IOException {
    below.close();
  }
}
