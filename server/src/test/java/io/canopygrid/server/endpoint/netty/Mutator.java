package io.canopygrid.server.endpoint.netty;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Changes bytes at random, and cuts them as a network may. */
final class Mutator {
  private final SplittableRandom random;

  Mutator(SplittableRandom random) {
    this.random = random;
  }

  /** The bytes with up to so many changes, parts of others among them. */
  byte[] changed(byte[] bytes, List<byte[]> others, int changesMax) {
    byte[] result = bytes;
    for (int changes = random.nextInt(changesMax + 1); changes > 0; changes--) {
      result = changedOnce(result.clone(), others);
    }
    return result;
  }

  private byte[] changedOnce(byte[] bytes, List<byte[]> others) {
    int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
    switch (bytes.length == 0 ? 5 : random.nextInt(8)) {
      case 0 -> bytes[at] = (byte) random.nextInt(256);
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0xFF : 0x7F);
      case 3 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 4 -> bytes[random.nextInt(Math.min(bytes.length, 9))] = (byte) random.nextInt(256);
      case 5 -> {
        return splice(bytes, at, others.get(random.nextInt(others.size())));
      }
      case 6 -> {
        byte[] same = new byte[random.nextInt(1 << random.nextInt(13))];
        Arrays.fill(same, bytes[at]);
        return splice(bytes, at, same);
      }
      default -> {
        byte[] more = new byte[random.nextInt(16)];
        random.nextBytes(more);
        return splice(bytes, at, more);
      }
    }
    return bytes;
  }

  /** The bytes with others put in, which may replace those that follow. */
  private byte[] splice(byte[] bytes, int at, byte[] other) {
    int from = random.nextInt(other.length + 1);
    int length = random.nextInt(other.length - from + 1);
    int skip = random.nextBoolean() ? Math.min(length, bytes.length - at) : 0;
    byte[] result = new byte[bytes.length - skip + length];
    System.arraycopy(bytes, 0, result, 0, at);
    System.arraycopy(other, from, result, at, length);
    System.arraycopy(bytes, at + skip, result, at + length, bytes.length - at - skip);
    return result;
  }

  /** The bytes in pieces: one, a few, or, where they are few, each by itself. */
  List<byte[]> cut(byte[] bytes) {
    int most = random.nextInt(8) == 0 && bytes.length <= 256 ? bytes.length : random.nextInt(5);
    int[] ends = random.ints(most, 0, bytes.length + 1).sorted().toArray();
    List<byte[]> pieces = new ArrayList<>();
    int from = 0;
    for (int end : ends) {
      pieces.add(Arrays.copyOfRange(bytes, from, end));
      from = end;
    }
    pieces.add(Arrays.copyOfRange(bytes, from, bytes.length));
    return pieces;
  }
}
