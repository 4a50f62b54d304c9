package io.canopygrid.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All pairs of all strings of up to three of the five bytes that matter. */
final class EscapesTest {
  private static final byte[] ALPHABET = {0, 1, 2, (byte) 0xFE, (byte) 0xFF};

  @Test
  void pairsOfStringsSortByTheFirstAndThenByTheSecond() {
    List<byte[]> strings = strings();
    for (byte[] a : strings) {
      for (byte[] b : strings) {
        int wanted = Integer.signum(Arrays.compareUnsigned(a, b));
        for (byte follower : ALPHABET) {
          byte[] other = {(byte) (0xFF - follower)};
          byte[] x = written(a, new byte[] {follower});
          byte[] y = written(b, other);
          int expected =
              wanted != 0
                  ? wanted
                  : Integer.signum(Arrays.compareUnsigned(new byte[] {follower}, other));
          assertThat(Integer.signum(Arrays.compareUnsigned(x, y)))
              .as("%s, %s", Arrays.toString(a), Arrays.toString(b))
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void endThemselves() {
    for (byte[] a : strings()) {
      ByteReader in = new ByteReader(written(a, new byte[] {7}));
      assertThat(Escapes.read(in)).isEqualTo(a);
      assertThat(Escapes.read(in)).containsExactly(7);
      in.end();
    }
  }

  @Test
  void refuseWhatDoesNotEnd() {
    for (byte[] bytes : new byte[][] {{}, {5}, {0}, {0, (byte) 0xFF}, {0, 2}, {0, 0}}) {
      assertThatExceptionOfType(MalformedBytesException.class)
          .as(Arrays.toString(bytes))
          .isThrownBy(() -> Escapes.read(new ByteReader(bytes)));
    }
  }

  private static byte[] written(byte[] first, byte[] second) {
    ByteWriter out = new ByteWriter(0);
    Escapes.write(out, first);
    Escapes.write(out, second);
    return out.toBytes();
  }

  private static List<byte[]> strings() {
    List<byte[]> all = new ArrayList<>();
    all.add(new byte[0]);
    for (int i = 0; i < 1 + 5 + 25; i++) {
      for (byte b : ALPHABET) {
        byte[] longer = KeyRange.successor(all.get(i));
        longer[longer.length - 1] = b;
        all.add(longer);
      }
    }
    return all;
  }
}
