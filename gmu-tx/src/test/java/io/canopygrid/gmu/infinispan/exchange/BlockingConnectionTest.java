package io.canopygrid.gmu.infinispan.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
final class BlockingConnectionTest {
  private SocketChannel raw;
  private SocketChannel accepted;
  private BlockingConnection connection;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      raw = SocketChannel.open(server.getLocalAddress());
      accepted = server.accept();
      connection = new BlockingConnection(accepted);
    }
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
    raw.close();
  }

  @Test
  void framesAreReadOneByOneHoweverTheyArrive() throws IOException {
    try (BlockingConnection other = new BlockingConnection(raw)) {
      other.write(List.of(message(3, 1), message(0, 0)));
      other.write(List.of());
      other.write(List.of(message(5_000, 2)));
      other.write(List.of(message(1, 3)));

      assertThat(read()).containsExactly("3 of 1", "0 of 0");
      assertThat(read()).isEmpty();
      assertThat(read()).containsExactly("5000 of 2");
      assertThat(read()).containsExactly("1 of 3");
    }
  }

  @Test
  void aFrameThatComesInPiecesIsReadWhole() throws Exception {
    ByteBuffer frame = ByteBuffer.allocate(12).putInt(8).putInt(4).putInt(0x07070707).flip();
    Thread slow =
        new Thread(() -> {
          try {
            while (frame.hasRemaining()) {
              raw.write(ByteBuffer.wrap(new byte[] {frame.get()}));
            }
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
    slow.start();

    assertThat(read()).containsExactly("4 of 7");
    slow.join();
  }

  @Test
  void whatIsWrittenCanBeWrittenAgain() throws IOException {
    ByteBuffer message = message(10, 4);
    connection.write(List.of(message));
    assertThat(message.remaining()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, BlockingConnection.FRAME_BYTES_MAX + 1, Integer.MAX_VALUE})
  void aFrameOfNoPossibleLengthIsRefused(int length) throws IOException {
    raw.write(ByteBuffer.allocate(4).putInt(length).flip());
    assertThatThrownBy(this::read).isInstanceOf(IOException.class).hasMessageContaining("a frame");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1, Integer.MAX_VALUE})
  void aMessageThatDoesNotEndWithItsFrameIsRefused(int length) throws IOException {
    raw.write(ByteBuffer.allocate(8).putInt(4).putInt(length).flip());
    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not end");
  }

  @Test
  void aFrameThatEndsInALengthIsRefused() throws IOException {
    raw.write(ByteBuffer.allocate(6).putInt(2).putShort((short) 0).flip());
    assertThatThrownBy(this::read).hasMessageContaining("does not end");
  }

  @Test
  void whoWaitsHearsThatTheOtherHasGone() throws IOException {
    raw.write(ByteBuffer.allocate(4).putInt(8).flip());
    raw.close();
    assertThatThrownBy(this::read).isInstanceOf(EOFException.class);
  }

  @Test
  void anAnswerIsOverdueOnlyWhileItIsWaitedFor() {
    connection.rests(0);
    assertThat(connection.isOverdue(Long.MAX_VALUE)).isFalse();
    connection.awaits(100);
    assertThat(connection.isOverdue(100)).isFalse();
    assertThat(connection.isOverdue(101)).isTrue();
    assertThat(connection.isIdle(1_000, 10)).isFalse();
    connection.rests(200);
    assertThat(connection.isIdle(210, 10)).isFalse();
    assertThat(connection.isIdle(211, 10)).isTrue();
  }

  private static ByteBuffer message(int bytes, int value) {
    byte[] content = new byte[bytes];
    Arrays.fill(content, (byte) value);
    return ByteBuffer.wrap(content);
  }

  /**
   * Of each message of the next frame how many bytes it has, and of which value all of them are.
   */
  private List<String> read() throws IOException {
    List<String> messages = new ArrayList<>();
    connection.read((bytes, offset, length) -> {
      byte value = length == 0 ? 0 : bytes[offset];
      for (int i = 0; i < length; i++) {
        assertThat(bytes[offset + i]).isEqualTo(value);
      }
      messages.add(length + " of " + value);
    });
    return messages;
  }
}
