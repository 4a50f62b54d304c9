package io.canopygrid.server.endpoint;

import io.canopygrid.ReadFrom;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireCodec;
import io.canopygrid.wire.client.WireLimits;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.UUID;

/** A client that sends exactly the messages that a test tells it to, and reads frame by frame. */
public final class TestClient implements AutoCloseable {
  /** The id that all test clients have. */
  public static final UUID CLIENT = new UUID(7, 8);

  private final Socket socket;
  private final DataInputStream in;

  TestClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  /** A client that the server has welcomed. */
  static TestClient greeted(int port) throws IOException {
    TestClient client = new TestClient(port);
    client.say(0, new Request.Hello(2, 2, 0, CLIENT, "test"));
    client.hear(Reply.Welcome.class);
    return client;
  }

  void say(int stream, ClientMessage message) throws IOException {
    sayBytes(WireCodec.encode(stream, message));
  }

  void sayBytes(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  WireCodec.Framed hear() throws IOException {
    byte[] frame = new byte[WireCodec.checkedLength(in.readInt(), WireLimits.FRAME_BYTES_MAX)];
    in.readFully(frame);
    return WireCodec.decode(frame);
  }

  <M extends ClientMessage> M hear(Class<M> type) throws IOException {
    ClientMessage message = hear().message();
    if (!type.isInstance(message)) {
      throw new AssertionError("not a " + type.getSimpleName() + ": " + message);
    }
    return type.cast(message);
  }

  /** Whether the server has closed the connection; any message from it is an error. */
  boolean hearsTheEnd() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException e) {
      return true;
    }
  }

  public static Step.Begin begin(Step.Mode mode) {
    return new Step.Begin(mode, ReadFrom.PRIMARY, 10_000, "", "", VectorClock.ZERO);
  }

  public static Step first(int transaction, Step.Mode mode, Step.Write... writes) {
    return new Step(transaction, begin(mode), List.of(writes), false);
  }

  public static Step next(int transaction, Step.Write... writes) {
    return new Step(transaction, null, List.of(writes), false);
  }

  /** A read-only transaction of one request. */
  public static Step only(int transaction) {
    return new Step(transaction, begin(Step.Mode.READ_ONLY), List.of(), true);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
