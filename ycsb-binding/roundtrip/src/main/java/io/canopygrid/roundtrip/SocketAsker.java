package io.canopygrid.roundtrip;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** Asks over a blocking socket that sends at once: no other thread has a part in it. */
final class SocketAsker implements Asker, AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private final byte[] question;
  private final byte[] answer;

  /** Connects to a {@link SocketEcho}. */
  SocketAsker(int port, MessageSizes sizes) throws IOException {
    question = sizes.newQuestion();
    answer = new byte[sizes.answer()];
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    new DataOutputStream(socket.getOutputStream()).writeInt(question.length);
  }

  @Override
  public void ask() throws IOException {
    socket.getOutputStream().write(question);
    in.readFully(answer);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
