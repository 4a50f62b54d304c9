package io.canopygrid.gmu.protocol.copy;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of which a copy here has no version any more, as their tombstones were garbage: a node
 * that comes back with an older copy has to hear of them (protocol.md, Coming back). Bounded: the
 * oldest are forgotten, and how far back a shard's reach is known. Confined to the protocol lock.
 */
public final class Removals {
  /** The bytes that an entry takes beside those of its key. */
  private static final int ENTRY_BYTES = 96;

  private final long bytesMax;
  private long bytes;

  /** The removals of all shards, the oldest first; those of copies that are gone among them. */
  private final ArrayDeque<Removal> all = new ArrayDeque<>();

  private final Map<Integer, Shard> shards = new HashMap<>();

  /** The number of removals that there ever were. */
  private long count;

  /** A tombstone with this number was dropped, as so many before it. */
  private record Removal(long place, int shard, CompositeKey key, long number) {}

  private static final class Shard {
    private final ArrayDeque<Removal> removals = new ArrayDeque<>();
    private long reach;

    private Shard(long reach) {
      this.reach = reach;
    }
  }

  /**
   * @param bytesMax what they may take; 0: nobody comes back, nothing is kept
   */
  public Removals(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** A copy begins that knows of all removals above a number. */
  public void begin(int shard, long number) {
    shards.put(shard, new Shard(number));
  }

  /** The last version of a key, a tombstone with this number, is dropped. */
  void add(int shard, CompositeKey key, long number) {
    Shard of = shards.get(shard);
    if (of == null) {
      return;
    }
    if (bytesMax == 0) {
      of.reach = Math.max(of.reach, number);
      return;
    }
    Removal removal = new Removal(count++, shard, key, number);
    all.add(removal);
    of.removals.add(removal);
    bytes += bytes(removal);
    while (bytes > bytesMax) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    Removal oldest = Invariant.present(all.poll(), "bytes of no removal");
    bytes -= bytes(oldest);
    Shard of = shards.get(oldest.shard());
    Removal first = of == null ? null : of.removals.peek();
    if (of != null && first != null && first.place() == oldest.place()) {
      of.removals.remove();
      of.reach = Math.max(of.reach, oldest.number());
    }
  }

  private static int bytes(Removal removal) {
    return ENTRY_BYTES + removal.key().bytes().length;
  }

  /** Whether all removals above a number are known here. */
  boolean reaches(int shard, long number) {
    Shard of = shards.get(shard);
    return of != null && of.reach <= number;
  }

  /** The keys that were removed above a number. */
  List<CompositeKey> since(int shard, long number) {
    Shard of = shards.get(shard);
    List<CompositeKey> keys = new ArrayList<>();
    if (of != null) {
      for (Removal removal : of.removals) {
        if (removal.number() > number) {
          keys.add(removal.key());
        }
      }
    }
    return keys;
  }
}
