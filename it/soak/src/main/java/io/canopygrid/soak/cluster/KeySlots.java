package io.canopygrid.soak.cluster;

import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The keys that clients of one node use at present: a few slots, each with one key, which makes
 * room for the next one when it is full. Keys lie in stripes, far from each other in the index; in
 * a stripe they are neighbours in the order in which they come up. So every stripe grows at its end
 * and splits as it does, and a short scan there meets keys that are used, that were, and that will
 * be. Thread-safe.
 *
 * <p>Nodes do not tell each other; a key that another node has filled is found full and left.
 */
final class KeySlots {
  private static final int NONE = -1;

  private final int stripes;
  private final AtomicIntegerArray generations;

  /** The stripe in which half of the keys are chosen; or none. */
  private final int ownStripe;

  /**
   * Creates so many slots, spread evenly.
   *
   * @param slots a multiple of the stripes
   */
  KeySlots(int slots, int stripes) {
    this(slots, stripes, NONE);
  }

  private KeySlots(int slots, int stripes, int ownStripe) {
    this.stripes = stripes;
    this.generations = new AtomicIntegerArray(slots);
    this.ownStripe = ownStripe;
  }

  /** The same for clients who choose every other key in one stripe. */
  static KeySlots withOwnStripe(int slots, int stripes, int ownStripe) {
    return new KeySlots(slots, stripes, ownStripe);
  }

  /** A key in use: uniformly, or by Zipf's law with the first slots the most popular. */
  SlotKey choose(Random random, boolean zipf) {
    int slot = random.nextInt(generations.length());
    if (zipf) {
      double sum = 0;
      for (int i = 1; i <= generations.length(); i++) {
        sum += 1.0 / i;
      }
      double at = random.nextDouble() * sum;
      for (slot = 0; slot + 1 < generations.length() && at > 1.0 / (slot + 1); slot++) {
        at -= 1.0 / (slot + 1);
      }
    }
    if (ownStripe != NONE && random.nextBoolean()) {
      slot += ownStripe - slot % stripes;
    }
    return key(slot, generations.get(slot));
  }

  private SlotKey key(int slot, int generation) {
    int perStripe = generations.length() / stripes;
    return new SlotKey(slot % stripes, generation * perStripe + slot / stripes);
  }

  /** Leaves a key that is full, unless a client of this node has left it already. */
  void retire(SlotKey key) {
    int perStripe = generations.length() / stripes;
    int slot = key.stripe + stripes * (key.number % perStripe);
    generations.compareAndSet(slot, key.number / perStripe, key.number / perStripe + 1);
  }

  /** No key of any stripe has this number or a greater one. */
  int numbers() {
    int most = 0;
    for (int slot = 0; slot < generations.length(); slot++) {
      most = Math.max(most, generations.get(slot));
    }
    return (most + 1) * (generations.length() / stripes);
  }

  /**
   * One key.
   *
   * @param stripe where in the index
   * @param number its place in the stripe
   */
  record SlotKey(int stripe, int number) {
    private static final int STRIPE_SHIFT = 24;

    /** The key as a number, in order: first the stripe, then the place in it. */
    int encoded() {
      return stripe << STRIPE_SHIFT | number;
    }

    static SlotKey of(int encoded) {
      return new SlotKey(encoded >>> STRIPE_SHIFT, encoded & ((1 << STRIPE_SHIFT) - 1));
    }

    SlotKey plus(int places) {
      return new SlotKey(stripe, number + places);
    }

    /** The name of the key in histories. */
    @Override
    public String toString() {
      return (char) ('a' + stripe) + Integer.toString(number);
    }
  }
}
