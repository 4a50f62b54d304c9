package io.canopygrid.wire.client;

import com.sun.management.ThreadMXBean;
import io.canopygrid.wire.MalformedBytesException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Feeds the decoder with changed frames. Every input is decoded or refused as malformed, with
 * memory in proportion to its length. A decoded message is written and decoded again to the same.
 */
final class WireFuzz {
  /**
   * The most bytes of objects for each byte of input: an entry of two bytes is a record, two arrays
   * and a reference.
   */
  private static final int ALLOCATED_PER_BYTE_MAX = 64;

  /** Allocation that is allowed for every frame; the JVM's own work now and then is counted too. */
  private static final int ALLOCATED_MIN = 1 << 18;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final SplittableRandom random;
  private final List<byte[]> seeds = new ArrayList<>();
  private long decoded;
  private long refused;

  WireFuzz(long seed) {
    random = new SplittableRandom(seed);
    Samples.all().values().forEach(m -> seeds.add(WireCodecTest.body(WireCodec.encode(1, m))));
    seeds.forEach(bytes -> { // so that all classes are loaded
      check(bytes, -1);
      check(Arrays.copyOf(bytes, bytes.length - 1), -1);
    });
  }

  /** Runs so many inputs (10,000,000) from a seed (1): {@code WireFuzz [INPUTS [SEED]]}. */
  public static void main(String[] args) {
    long inputs = args.length > 0 ? Long.parseLong(args[0]) : 10_000_000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    WireFuzz fuzz = new WireFuzz(seed);
    fuzz.run(inputs);
    System.out.println(
        inputs + " inputs: " + fuzz.decoded + " decoded, " + fuzz.refused + " refused");
  }

  void run(long inputs) {
    for (long i = 0; i < inputs; i++) {
      byte[] input = mutate(seeds.get(random.nextInt(seeds.size())));
      long before = THREADS.getCurrentThreadAllocatedBytes();
      boolean right = check(input, i);
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      if (allocated > ALLOCATED_MIN + (long) ALLOCATED_PER_BYTE_MAX * input.length) {
        throw new AssertionError(
            "input " + i + " of " + input.length + " bytes took " + allocated + " bytes");
      }
      if (right) {
        decoded++;
      } else {
        refused++;
      }
    }
  }

  long decoded() {
    return decoded;
  }

  long refused() {
    return refused;
  }

  private static boolean check(byte[] input, long i) {
    WireCodec.Framed framed;
    try {
      framed = WireCodec.decode(input);
    } catch (MalformedBytesException e) {
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError("input " + i + ": " + Arrays.toString(input), e);
    }
    byte[] again = WireCodec.encode(framed.stream(), framed.message());
    WireCodec.Framed twice = WireCodec.decode(WireCodecTest.body(again));
    if (!Arrays.equals(again, WireCodec.encode(twice.stream(), twice.message()))) {
      throw new AssertionError("input " + i + " changes: " + Arrays.toString(input));
    }
    return true;
  }

  private byte[] mutate(byte[] seed) {
    byte[] bytes = seed.clone();
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      bytes = mutateOnce(bytes);
    }
    return bytes;
  }

  private byte[] mutateOnce(byte[] bytes) {
    int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
    switch (bytes.length == 0 ? 5 : random.nextInt(7)) {
      case 0 -> bytes[at] = (byte) random.nextInt(256);
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0xFF : 0x7F);
      case 3 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 4 -> bytes[0] = (byte) random.nextInt(256);
      case 5 -> {
        return splice(bytes, at, seeds.get(random.nextInt(seeds.size())));
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
}
