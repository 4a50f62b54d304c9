package io.canopygrid.client.server;

import io.canopygrid.GridId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers of indexes that this handle knows as dropped. A number is never given again, so an
 * index that is created under the same name later is not among them. Thread-safe.
 */
final class DroppedNumbers {
  private final Set<Dropped> dropped = ConcurrentHashMap.newKeySet();

  /** A number means something in its grid. */
  private record Dropped(GridId grid, int number) {}

  void add(GridId grid, int number) {
    dropped.add(new Dropped(grid, number));
  }

  boolean contains(GridId grid, int number) {
    return !dropped.isEmpty() && dropped.contains(new Dropped(grid, number));
  }

  /** The grid has changed: all numbers are others. */
  void clear() {
    dropped.clear();
  }
}
