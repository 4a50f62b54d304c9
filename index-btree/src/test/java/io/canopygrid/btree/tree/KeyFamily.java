package io.canopygrid.btree.tree;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Kinds of keys, each of which leads the search down other ways. */
enum KeyFamily {
  /** Up to two bytes, all lengths, the empty key too. */
  SHORT {
    @Override
    byte[] next(SplittableRandom random, int range) {
      byte[] key = new byte[random.nextInt(3)];
      random.nextBytes(key);
      return key;
    }
  },

  /** One of few kcls, a tag, and few bytes: keys as in a shard's store. */
  STORE {
    @Override
    byte[] next(SplittableRandom random, int range) {
      String user = random.nextInt(16) == 0 ? "" : "\u0001user" + random.nextInt(range);
      byte[] ku = user.getBytes(StandardCharsets.ISO_8859_1);
      return ByteBuffer.allocate(Long.BYTES + ku.length)
          .putLong(0x8000_0000_0000_0100L + random.nextInt(3))
          .put(ku)
          .array();
    }
  },

  /** Runs of zeros and of 0xff of all lengths, with which padding and signs could be confused. */
  ZEROS_AND_ONES {
    @Override
    byte[] next(SplittableRandom random, int range) {
      byte[] key = new byte[random.nextInt(24)];
      Arrays.fill(key, 0, random.nextInt(key.length + 1), (byte) 0xff);
      for (int i = random.nextInt(3); i > 0 && key.length > 0; i--) {
        key[random.nextInt(key.length)] = (byte) random.nextInt(-1, 2);
      }
      return key;
    }
  },

  /** The same 40 bytes and a last one or two that differ. */
  LAST_BYTES {
    @Override
    byte[] next(SplittableRandom random, int range) {
      byte[] key = new byte[random.nextBoolean() ? 41 : 42];
      Arrays.fill(key, (byte) 0xab);
      key[40] = (byte) random.nextInt(256);
      key[key.length - 1] = (byte) random.nextInt(256);
      return key;
    }
  },

  /** Heads that are equal for many keys, which differ only long after. */
  TIES {
    @Override
    byte[] next(SplittableRandom random, int range) {
      byte[] key = new byte[40];
      key[random.nextInt(8)] = (byte) random.nextInt(3);
      key[20 + random.nextInt(20)] = (byte) random.nextInt(256);
      return key;
    }
  },

  /** 8 KiB, alike up to the middle. */
  LONG {
    @Override
    byte[] next(SplittableRandom random, int range) {
      byte[] key = new byte[8192];
      int at = random.nextInt(4) * 2000;
      ByteBuffer.wrap(key).putInt(at, random.nextInt(range));
      return key;
    }
  },

  /** All the others. */
  MIXED {
    @Override
    byte[] next(SplittableRandom random, int range) {
      return OTHERS.get(random.nextInt(OTHERS.size())).next(random, range);
    }
  };

  private static final List<KeyFamily> OTHERS =
      List.of(SHORT, STORE, ZEROS_AND_ONES, LAST_BYTES, TIES, LONG);

  /**
   * A random key.
   *
   * @param range about how many different keys of this family there shall be, where it can be said
   */
  abstract byte[] next(SplittableRandom random, int range);
}
