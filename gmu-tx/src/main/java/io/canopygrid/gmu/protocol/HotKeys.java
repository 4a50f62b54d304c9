package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CompositeKey;
import java.util.HashSet;
import java.util.Set;

/**
 * The keys of shards served here at which turns are taken (protocol.md, Turns). Changed in the
 * protocol lock, each time as a copy: they are as many as there are transactions that have or want
 * a turn.
 */
final class HotKeys {
  private volatile Set<CompositeKey> keys = Set.of();

  /** Any thread. */
  boolean contains(CompositeKey key) {
    Set<CompositeKey> now = keys;
    return !now.isEmpty() && now.contains(key);
  }

  void add(CompositeKey key) {
    Set<CompositeKey> next = new HashSet<>(keys);
    next.add(key);
    keys = next;
  }

  void remove(CompositeKey key) {
    Set<CompositeKey> next = new HashSet<>(keys);
    next.remove(key);
    keys = next.isEmpty() ? Set.of() : next;
  }
}
