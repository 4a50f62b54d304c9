package io.canopygrid.engine;

import java.util.List;

/**
 * A part of a sorted load: entries in ascending order of their keys, at least one.
 *
 * @param entries not to be changed
 */
public record SortedPart(List<Entry> entries) {
  /** An encoded entry. The arrays are not to be changed. */
  public record Entry(byte[] key, byte[] value) {}

  /** Copies the list. */
  public SortedPart {
    entries = List.copyOf(entries);
  }

  /** The least key. */
  public byte[] first() {
    return entries.get(0).key();
  }

  /** The greatest key. */
  public byte[] last() {
    return entries.get(entries.size() - 1).key();
  }
}
