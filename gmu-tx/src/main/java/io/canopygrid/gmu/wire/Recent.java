package io.canopygrid.gmu.wire;

import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;

/**
 * The things of a kind that were written, or read, last: a commit's values and clock come with its
 * decision, and soon again with its versions. A writer finds a thing that is the same and writes
 * the number of things since; a reader that has read the same ones finds it by that. Confined to
 * one thread.
 *
 * @param <T> values or clocks
 */
final class Recent<T> {
  private static final int SLOTS_EACH = 4;

  private final List<T> ring;
  private final long weightMax;
  private final ToIntFunction<T> hash;
  private final BiPredicate<T, T> isSame;

  /**
   * By hash the number of the thing that had it last, and 1 more. A thing that another one pushes
   * out is not found, and is written again, which is seldom. A hash map would cost several times as
   * much, most of it for things that are never looked for again.
   */
  private final long[] slots;

  /** The numbers of the oldest thing, and of the one that is added next. */
  private long oldest;

  private long next;
  private long weight;

  /** By the place of a thing in the ring. */
  private final int[] weights;

  private final T none;

  /**
   * @param countMax the number of things that are kept, a power of 2
   * @param weightMax of all of them together
   * @param none stands where no thing is
   * @param hash its lower bits differ for most things that differ
   */
  Recent(int countMax, long weightMax, T none, ToIntFunction<T> hash, BiPredicate<T, T> isSame) {
    this.weightMax = weightMax;
    this.none = none;
    this.hash = hash;
    this.isSame = isSame;
    ring = new ArrayList<>(Collections.nCopies(countMax, none));
    weights = new int[countMax];
    slots = new long[SLOTS_EACH * countMax];
  }

  /**
   * Looks for a thing, and adds it where it is not found.
   *
   * @return the number of things since it was added, from 1 on; 0: it was not there
   */
  long agoOrAdd(T thing, int ofWeight) {
    int slot = hash.applyAsInt(thing) & (slots.length - 1);
    long number = slots[slot] - 1;
    if (number >= oldest && isSame.test(ring.get(place(number)), thing)) {
      return next - number;
    }
    add(thing, ofWeight);
    slots[slot] = next;
    return 0;
  }

  /** Adds a thing that is not there, and forgets the oldest ones where there are too many. */
  void add(T thing, int ofWeight) {
    if (ofWeight > weightMax) {
      return;
    }
    weight += ofWeight;
    while (weight > weightMax || next - oldest == weights.length) {
      int place = place(oldest++);
      ring.set(place, none);
      weight -= weights[place];
    }
    ring.set(place(next), thing);
    weights[place(next)] = ofWeight;
    next++;
  }

  private int place(long number) {
    return (int) number & (weights.length - 1);
  }

  /**
   * The thing that was added so many things ago.
   *
   * @throws MalformedBytesException there is none
   */
  T get(long ago) {
    if (ago < 1 || ago > next - oldest) {
      throw new MalformedBytesException("nothing was " + ago + " before");
    }
    return ring.get(place(next - ago));
  }
}
