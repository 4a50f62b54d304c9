package io.canopygrid.roundtrip;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/** Answers the questions of a {@link SocketAsker}, on a thread of its own. */
final class SocketEcho implements AutoCloseable {
  private final ServerSocket server;

  /** Listens on a port of the loopback address. */
  SocketEcho(int port) throws IOException {
    server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "socket-echo");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve() {
    try (Socket socket = server.accept()) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] question = new byte[in.readInt()];
      while (true) {
        in.readFully(question); // in one read mostly, as it comes in one piece
        socket.getOutputStream().write(MessageSizes.answerTo(question));
      }
    } catch (EOFException | SocketException e) {
      return; // whoever asked has gone, or this was closed
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
