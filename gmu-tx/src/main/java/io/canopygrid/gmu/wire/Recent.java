package io.canopygrid.gmu.wire;

import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The things of a kind that were written, or read, last: a commit's values and clock come with its
 * decision, and soon again with its versions. A writer finds a thing by its identity and writes the
 * number of things since; a reader that has read the same ones finds it by that. Confined to one
 * thread.
 *
 * @param <T> values or clocks
 */
final class Recent<T> {
  private final List<T> ring;
  private final IdentityHashMap<T, Long> numbers = new IdentityHashMap<>();
  private final long weightMax;

  /** The numbers of the oldest thing, and of the one that is added next. */
  private long oldest;

  private long next;
  private long weight;

  /** By the place of a thing in the ring. */
  private final int[] weights;

  private final T none;

  /**
   * @param countMax the number of things that are kept
   * @param weightMax of all of them together
   * @param none stands where no thing is
   */
  Recent(int countMax, long weightMax, T none) {
    this.weightMax = weightMax;
    this.none = none;
    ring = new ArrayList<>(Collections.nCopies(countMax, none));
    weights = new int[countMax];
  }

  /** Adds a thing that is not there, and forgets the oldest ones where there are too many. */
  void add(T thing, int ofWeight) {
    if (ofWeight > weightMax) {
      return;
    }
    weight += ofWeight;
    while (weight > weightMax || next - oldest == weights.length) {
      int place = place(oldest++);
      numbers.remove(ring.get(place));
      ring.set(place, none);
      weight -= weights[place];
    }
    ring.set(place(next), thing);
    weights[place(next)] = ofWeight;
    numbers.put(thing, next++);
  }

  private int place(long number) {
    return (int) (number % weights.length);
  }

  /** The number of things since one was added, from 1 on; 0: it was not, or is forgotten. */
  long ago(T thing) {
    Long number = numbers.get(thing);
    return number == null ? 0 : next - number;
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
