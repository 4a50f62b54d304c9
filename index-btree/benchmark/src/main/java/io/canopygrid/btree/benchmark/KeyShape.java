package io.canopygrid.btree.benchmark;

import io.canopygrid.gmu.CompositeKey;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** The shape of the keys of a benchmark. */
public enum KeyShape {
  /** 32 random bytes. */
  RANDOM_32 {
    @Override
    byte[] next(SplittableRandom random) {
      byte[] key = new byte[32];
      random.nextBytes(key);
      return key;
    }
  },

  /**
   * As a shard's store has them: one of eight kcls, a tag, and the user's key, as YCSB makes it.
   */
  STORE {
    @Override
    byte[] next(SplittableRandom random) {
      long kcl = (random.nextInt(SUBTREES) + 1) * 0x0001_0000_0000_0101L;
      String user = "\u0001user" + (random.nextLong() >>> 1);
      return CompositeKey.of(kcl, user.getBytes(StandardCharsets.ISO_8859_1)).bytes();
    }
  };

  private static final int SUBTREES = 8;

  abstract byte[] next(SplittableRandom random);

  /** So many keys in random order, the same for the same seed. */
  byte[][] keys(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[][] keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      keys[i] = next(random);
    }
    return keys;
  }

  /** Copies of the keys in another random order. */
  static byte[][] shuffledCopies(byte[][] keys, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] order = new int[keys.length];
    for (int i = 0; i < order.length; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    byte[][] copies = new byte[keys.length][];
    for (int i = 0; i < order.length; i++) {
      copies[i] = keys[order[i]].clone();
    }
    return copies;
  }
}
