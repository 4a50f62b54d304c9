package io.canopygrid.gmu.infinispan.exchange;

import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A channel without a socket, which is open until it is closed. */
final class SilentChannel extends SocketChannel {
  SilentChannel() {
    super(SelectorProvider.provider());
  }

  @Override
  public SocketChannel bind(SocketAddress local) {
    return this;
  }

  @Override
  public <T> SocketChannel setOption(SocketOption<T> name, T value) {
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return Set.of();
  }

  @Override
  public SocketChannel shutdownInput() {
    return this;
  }

  @Override
  public SocketChannel shutdownOutput() {
    return this;
  }

  @Override
  public Socket socket() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public boolean isConnectionPending() {
    return false;
  }

  @Override
  public boolean connect(SocketAddress remote) {
    return true;
  }

  @Override
  public boolean finishConnect() {
    return true;
  }

  @Override
  public SocketAddress getRemoteAddress() {
    throw new UnsupportedOperationException();
  }

  @Override
  public SocketAddress getLocalAddress() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int read(ByteBuffer to) {
    return 0;
  }

  @Override
  public long read(ByteBuffer[] to, int offset, int length) {
    return 0;
  }

  @Override
  public int write(ByteBuffer from) {
    return 0;
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) {
    return 0;
  }

  @Override
  protected void implCloseSelectableChannel() {}

  @Override
  protected void implConfigureBlocking(boolean block) {}
}
