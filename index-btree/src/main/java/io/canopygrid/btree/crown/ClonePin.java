package io.canopygrid.btree.crown;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Pin;

/**
 * The name of the pin that holds the layers of a clone. Each clone has a pin of its own: those of
 * others may end before.
 *
 * @param number of the clone
 * @param name of the clone
 */
public record ClonePin(int number, String name) {
  /** Behind the names of snapshots, and the times of marks. */
  private static final char FIRST = '~';

  private static final char END = '.';

  /** The least key of such a pin. */
  public static CompositeKey least() {
    return Pin.key(String.valueOf(FIRST));
  }

  /** Whether the pin with this ku is that of a clone. */
  public static boolean is(byte[] ku) {
    return ku[0] == FIRST;
  }

  /** Where it is kept. */
  public CompositeKey key() {
    return Pin.key(FIRST + Integer.toString(number) + END + name);
  }

  /** The clone's pin with this ku. */
  public static ClonePin of(byte[] ku) {
    String text = Pin.name(ku);
    int end = text.indexOf(END);
    Invariant.holds(is(ku) && end > 1, "the pin of a clone: %s", text);
    return new ClonePin(Integer.parseInt(text, 1, end, 10), text.substring(end + 1));
  }
}
