package io.canopygrid.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Written values are read again; malformed bytes are refused, and nothing worse happens. */
final class ByteReaderTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void readsWhatWasWritten(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int run = 0; run < 2_000; run++) {
      long number = random.nextLong() >> random.nextInt(64);
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      String text = "ü€" + run;
      byte[] written =
          new ByteWriter(random.nextInt(4))
              .writeVarLong(number)
              .writeBytes(bytes)
              .writeByte((int) number)
              .writeInt((int) number)
              .writeText(text)
              .writeLong(number)
              .toBytes();
      ByteReader in = new ByteReader(written);
      assertThat(in.readVarLong()).as("seed=%d", seed).isEqualTo(number);
      assertThat(in.readBytes()).as("seed=%d", seed).isEqualTo(bytes);
      assertThat(in.readByte()).as("seed=%d", seed).isEqualTo((int) number & 0xFF);
      assertThat(in.readInt()).as("seed=%d", seed).isEqualTo((int) number);
      assertThat(in.readText()).as("seed=%d", seed).isEqualTo(text);
      assertThat(in.readLong()).as("seed=%d", seed).isEqualTo(number);
      in.end();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomBytesAreReadOrRefused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int refused = 0;
    for (int run = 0; run < 20_000; run++) {
      byte[] bytes = new byte[random.nextInt(24)];
      random.nextBytes(bytes);
      try {
        ByteReader in = new ByteReader(bytes);
        while (in.remaining() > 0) {
          switch (random.nextInt(5)) {
            case 0 -> in.readVarLong();
            case 1 -> in.readBytes();
            case 2 -> in.readText();
            case 3 -> in.readLong();
            default -> in.readCount(100);
          }
        }
      } catch (MalformedBytesException e) {
        refused++;
        assertThat(e).as("seed=%d", seed).hasMessageNotContaining("null");
      }
    }
    assertThat(refused).as("seed=%d", seed).isPositive();
  }

  @Test
  void numbersHaveOneForm() {
    assertMalformed(() -> new ByteReader(new byte[] {(byte) 0x81, 0}).readVarLong());
    byte[] tooLarge = new byte[10];
    java.util.Arrays.fill(tooLarge, (byte) 0xFF);
    tooLarge[9] = 2;
    assertMalformed(() -> new ByteReader(tooLarge).readVarLong());
    tooLarge[9] = 1;
    assertThat(new ByteReader(tooLarge).readVarLong()).isEqualTo(-1);
    tooLarge[9] = (byte) 0x81;
    assertMalformed(() -> new ByteReader(tooLarge).readVarLong());
  }

  @Test
  void lengthsDoNotReachBeyondTheEnd() {
    byte[] hugeLength = new ByteWriter(8).writeVarLong(Integer.MAX_VALUE).toBytes();
    assertMalformed(() -> new ByteReader(hugeLength).readBytes());
    byte[] negativeLength = new ByteWriter(8).writeVarLong(-1).toBytes();
    assertMalformed(() -> new ByteReader(negativeLength).readBytes());
    assertMalformed(() -> new ByteReader(new byte[3]).readInt());
    assertMalformed(() -> new ByteReader(new byte[3]).readRaw(-1));
    assertMalformed(() -> new ByteReader(new byte[1]).end());
    assertMalformed(() -> new ByteReader(new byte[] {101}).readCount(100));
    assertMalformed(() -> new ByteReader(new byte[] {1, (byte) 0xC0}).readText());
  }

  @Test
  void readsOnlyItsPart() {
    ByteReader in = new ByteReader(new byte[] {9, 1, 2, 9}, 1, 3);
    assertThat(in.readRaw(2)).containsExactly(1, 2);
    in.end();
    assertMalformed(in::readByte);
    assertThatIllegalArgumentException().isThrownBy(() -> new ByteReader(new byte[2], 1, 3));
  }

  private static void assertMalformed(ThrowingCallable call) {
    assertThatExceptionOfType(MalformedBytesException.class).isThrownBy(call);
  }
}
