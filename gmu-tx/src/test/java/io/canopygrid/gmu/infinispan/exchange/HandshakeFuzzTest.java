package io.canopygrid.gmu.infinispan.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A connection from another node may begin with anything: the thread that serves it comes to an
 * end, and nobody is let in without a grid that is there. {@code -Dcanopy.fuzz.inputs} and {@code
 * -Dcanopy.fuzz.seed} change the run; an input takes a connection of its own, so that there are
 * fewer.
 */
@Timeout(36_000)
final class HandshakeFuzzTest {
  private static final long INPUTS = Math.max(1_000, Long.getLong("canopy.fuzz.inputs", 0) / 100);
  private static final long SEED = Long.getLong("canopy.fuzz.seed", 1);
  private static final UUID MEMBER = new UUID(1, 2);
  private static final UUID HERE = new UUID(3, 4);

  private final SplittableRandom random = new SplittableRandom(SEED);
  private ServerSocketChannel server;

  @BeforeEach
  void listen() throws IOException {
    server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  /** Has no grid, and counts the hellos that were understood. */
  private static final class Door implements Served.Entrance {
    private int asked;

    @Override
    public @Nullable Exchanges grid(String name) {
      asked++;
      return null;
    }

    @Override
    public boolean isFor(Hello hello, InetAddress from) {
      throw new AssertionError("nobody is let in to a grid that is not here: " + hello);
    }
  }

  @Test
  void whateverComesFirstTheConnectionEnds() throws IOException {
    Door door = new Door();
    for (long i = 0; i < INPUTS; i++) {
      byte[] input = input();
      try (SocketChannel raw = SocketChannel.open(server.getLocalAddress());
          SocketChannel accepted = server.accept()) {
        raw.write(ByteBuffer.wrap(input));
        raw.shutdownOutput();
        try (Served served = new Served(accepted, null)) {
          assertThatThrownBy(() -> served.run(door))
              .as("seed=%d input %d: %s", SEED, i, Arrays.toString(input))
              .isInstanceOf(IOException.class);
        }
        assertThat(accepted.isOpen()).isFalse();
      }
    }
    assertThat(door.asked).as("hellos that were understood").isBetween(1, (int) INPUTS - 1);
  }

  @Test
  void whateverFramesComeTheyAreReadOrTheConnectionEnds() throws IOException {
    long read = 0;
    for (long i = 0; i < INPUTS; i++) {
      byte[] input = changed(frames());
      try (SocketChannel raw = SocketChannel.open(server.getLocalAddress());
          BlockingConnection connection = new BlockingConnection(server.accept())) {
        raw.write(ByteBuffer.wrap(input));
        raw.shutdownOutput();
        read += readAll(connection, input.length);
      }
    }
    assertThat(read).as("messages that were read").isPositive();
  }

  /** Reads until the end; the number of messages, which lie within what has come. */
  private static long readAll(BlockingConnection connection, int most) {
    long[] count = new long[1];
    try {
      while (true) {
        connection.read((bytes, offset, length) -> {
          assertThat(offset + length).isLessThanOrEqualTo(bytes.length);
          assertThat(length).isBetween(0, most);
          count[0]++;
        });
      }
    } catch (IOException e) {
      return count[0];
    }
  }

  private byte[] input() {
    byte[] hello = hello(random.nextBoolean() ? MEMBER : new UUID(5, 6), HERE);
    return random.nextInt(10) == 0 ? frames() : changed(hello);
  }

  private static byte[] hello(UUID from, UUID to) {
    byte[] name = "grid".getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(3 * Integer.BYTES + 4 * Long.BYTES + name.length);
    out.putInt(0xCA0BE8C4).putInt(1);
    for (Address address : List.of(from, to)) {
      UUID id = (UUID) address;
      out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }
    return out.putInt(name.length).put(name).array();
  }

  private byte[] frames() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int frames = 1 + random.nextInt(3); frames > 0; frames--) {
      int messages = random.nextInt(3);
      int size = random.nextInt(40);
      ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + messages * (Integer.BYTES + size));
      frame.putInt(messages * (Integer.BYTES + size));
      for (int i = 0; i < messages; i++) {
        frame.putInt(size).put(new byte[size]);
      }
      all.writeBytes(frame.array());
    }
    return all.toByteArray();
  }

  private byte[] changed(byte[] bytes) {
    byte[] result = bytes.clone();
    for (int changes = random.nextInt(3); changes > 0 && result.length > 0; changes--) {
      int at = random.nextInt(result.length);
      switch (random.nextInt(3)) {
        case 0 -> result[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> result[at] = (byte) random.nextInt(256);
        default -> result = Arrays.copyOf(result, at);
      }
    }
    return result;
  }
}
