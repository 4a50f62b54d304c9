package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.ShardMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A footprint's part in one shard, while it is being sorted out. */
final class FootprintParts {
  private final List<KeyRead> reads = new ArrayList<>();
  private final List<RangeRead> ranges = new ArrayList<>();
  private final List<Write> writes = new ArrayList<>();

  private FootprintParts() {}

  /** The participants of a transaction, and what it read and writes in each. */
  static SortedMap<Integer, Footprint> byShard(Footprint footprint, ShardMap shards) {
    SortedMap<Integer, FootprintParts> parts = new TreeMap<>();
    for (KeyRead read : footprint.reads()) {
      part(parts, shards.shardOf(read.key().kcl())).reads.add(read);
    }
    for (RangeRead range : footprint.ranges()) {
      part(parts, shards.shardOf(range.kcl())).ranges.add(range);
    }
    for (Write write : footprint.writes()) {
      part(parts, shards.shardOf(write.key().kcl())).writes.add(write);
    }
    SortedMap<Integer, Footprint> footprints = new TreeMap<>();
    parts.forEach((s, p) -> footprints.put(s, new Footprint(p.reads, p.ranges, p.writes)));
    return footprints;
  }

  private static FootprintParts part(SortedMap<Integer, FootprintParts> parts, int shard) {
    return parts.computeIfAbsent(shard, s -> new FootprintParts());
  }

  /** One of its keys, to name in a refusal; null: it has ranges only. */
  static @Nullable CompositeKey anyKey(Footprint part) {
    if (!part.writes().isEmpty()) {
      return part.writes().get(0).key();
    }
    return part.reads().isEmpty() ? null : part.reads().get(0).key();
  }
}
