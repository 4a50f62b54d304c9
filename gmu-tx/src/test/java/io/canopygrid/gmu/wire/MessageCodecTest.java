package io.canopygrid.gmu.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.store.VersionChain;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MessageCodecTest {
  private static byte[] bytes(Message message) {
    return bytes(message, ProtocolLevel.highest());
  }

  private static byte[] bytes(Message message, int level) {
    ByteBuffer encoded = MessageCodec.encode(message, level);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  private static Message decode(byte[] bytes) {
    return MessageCodec.decode(bytes, 0, bytes.length);
  }

  private static void assertSame(Message actual, Message expected, long seed) {
    assertThat(Deep.text(actual)).as("seed %d", seed).isEqualTo(Deep.text(expected));
  }

  @Test
  void everyTypeComesBackAsItWas() {
    for (long seed = 0; seed < 200; seed++) {
      MessageGenerator generator = new MessageGenerator(seed);
      for (int type = 0; type < MessageGenerator.TYPES; type++) {
        Message message = generator.message(type);
        assertSame(decode(bytes(message)), message, seed);
        byte[] before = bytes(message, ProtocolLevel.lowest());
        assertThat(before[0]).isEqualTo((byte) ProtocolLevel.lowest());
        assertSame(decode(before), message, seed);
      }
    }
  }

  @Test
  void theGeneratorKnowsEveryType() {
    Set<Class<?>> generated = new HashSet<>();
    for (int type = 0; type < MessageGenerator.TYPES; type++) {
      generated.add(new MessageGenerator(type).message(type).getClass());
    }
    Set<Class<?>> permitted = new HashSet<>();
    for (Class<?> type : Message.class.getPermittedSubclasses()) {
      if (type.isSealed()) {
        permitted.addAll(List.of(type.getPermittedSubclasses()));
      } else {
        permitted.add(type);
      }
    }
    assertThat(generated).isEqualTo(permitted);
  }

  @Test
  void aMessageIsReadWhereItLiesInABuffer() {
    Message message = new MessageGenerator(1).message(4);
    byte[] bytes = bytes(message);
    byte[] buffer = new byte[bytes.length + 20];
    System.arraycopy(bytes, 0, buffer, 7, bytes.length);
    assertSame(MessageCodec.decode(buffer, 7, bytes.length), message, 1);
  }

  @Test
  void aClockThatOccursTwiceIsSentOnceAndIsOneObject() {
    VectorClock clock = VectorClock.ZERO;
    for (int shard = 0; shard < 200; shard++) {
      clock = clock.with(shard, 1_000_000L + shard);
    }
    byte[] random = {5, 4, 3, 2, 1, 0, -1, -2};
    CompositeKey key = CompositeKey.of(3, random);
    var tid = new io.canopygrid.gmu.TxId(new io.canopygrid.gmu.NodeId(5), 6);
    VersionChain chain =
        VersionChain.of(
            tid, tid, 9, clock, random, VersionChain.of(tid, tid, 8, clock, null, null));
    Message.State state =
        new Message.State(
            1,
            2,
            1,
            0,
            true,
            List.of(new Message.KeyVersions(key, chain)),
            List.of(),
            9,
            clock,
            List.of(),
            0,
            List.of(),
            1);
    byte[] bytes = bytes(state);
    assertThat(bytes.length).isLessThan(1_000);
    Message.State back = (Message.State) decode(bytes);
    assertThat(back.chains().get(0).chain().clock()).isSameAs(back.mostRecent());
  }

  @Test
  void aPointReadIsSmall() {
    Message read =
        new Message.Read(
            17,
            1_000,
            200,
            new ReadQuery.Get(CompositeKey.of(77, new byte[24])),
            VectorClock.ZERO.with(3, 17L << 20).with(200, 18L << 20),
            ShardSet.EMPTY.with(3),
            false);
    assertThat(bytes(read).length).isLessThan(64);
  }

  @Test
  void aReadMayHaveAPartOfItsClock() {
    Message.Read whole = (Message.Read) new MessageGenerator(1).message(0);
    Message.Read part =
        new Message.Read(
            whole.topology(),
            whole.request(),
            whole.shard(),
            whole.query(),
            whole.clock(),
            whole.hasRead(),
            false);
    assertSame(decode(bytes(part)), part, 1);
    assertSame(decode(bytes(whole)), whole, 1);
    assertThat(bytes(part, 8)).isEqualTo(bytes(part));
    assertThat(bytes(whole, 8)).isNotEqualTo(bytes(whole));
  }

  @Test
  void aLevelThatIsNotSpokenSaysSo() {
    byte[] bytes = bytes(new Message.LowWaterMark(1, 1, null));
    for (int level : new int[] {ProtocolLevel.lowest() - 1, ProtocolLevel.highest() + 1}) {
      bytes[0] = (byte) level;
      assertThatThrownBy(() -> decode(bytes))
          .isInstanceOf(MalformedBytesException.class)
          .hasMessage("level %d, and this release speaks levels 8 to 9", level);
    }
  }

  @Test
  void everyBeginningOfAMessageIsRefused() {
    MessageGenerator generator = new MessageGenerator(3);
    for (int type = 0; type < MessageGenerator.TYPES; type++) {
      byte[] bytes = bytes(generator.message(type));
      for (int length = 0; length < bytes.length; length++) {
        byte[] part = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> decode(part)).isInstanceOf(MalformedBytesException.class);
      }
      byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
      assertThatThrownBy(() -> decode(more)).isInstanceOf(MalformedBytesException.class);
    }
  }

  /**
   * Broken bytes are a message or a MalformedBytesException, and nothing else, without a large
   * allocation.
   */
  @Test
  void brokenBytesAreRefusedInOneWay() {
    int refused = 0;
    int inputs = 100_000;
    List<byte[]> whole = new ArrayList<>();
    for (int i = 0; i < 100 * MessageGenerator.TYPES; i++) {
      whole.add(bytes(new MessageGenerator(i).message(i % MessageGenerator.TYPES)));
    }
    for (int input = 0; input < inputs; input++) {
      Random random = new Random(input);
      byte[] bytes = whole.get(input % whole.size()).clone();
      mutate(bytes, random);
      int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
      try {
        MessageCodec.encode(MessageCodec.decode(bytes, 0, length));
      } catch (MalformedBytesException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + input, e);
      }
    }
    assertThat(refused).isBetween(inputs / 4, inputs);
  }

  private static void mutate(byte[] bytes, Random random) {
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = 1 + random.nextInt(bytes.length - 1);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes[at] = (byte) 0xFF;
        default -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 5), (byte) 0xFF);
      }
    }
  }
}
