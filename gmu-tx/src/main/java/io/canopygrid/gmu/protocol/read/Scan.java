package io.canopygrid.gmu.protocol.read;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One scan of a kcl in a snapshot: forward or in reverse, cut off at the kcl's fence, and stopped
 * by its limit of live entries or by the bounds on an answer's size, whichever is met first. At
 * least one entry is returned before a bound stops it, so that the caller can go on after it.
 */
public final class Scan {
  private final int shard;
  private final ReadQuery.Scan query;
  private final byte @Nullable [] header;
  private final Fences fences;
  private final int entriesMax;
  private final int bytesMax;
  private final KclRange range;

  Scan(int shard, ReadQuery.Scan query, byte @Nullable [] header, ReadContext context) {
    this.shard = shard;
    this.query = query;
    this.header = header;
    this.fences = context.fences();
    this.entriesMax = context.scanEntriesMax();
    this.bytesMax = context.scanBytesMax();
    this.range = KclRange.of(query.kcl(), query.from(), query.to(), header, fences);
  }

  ReadAnswer run(OrderedView<VersionChain> chains, Shown shown) {
    if (header != null && !startIsCovered(header)) {
      return new ReadAnswer.Redirected(header, false);
    }
    List<ReadAnswer.Entry> entries = new ArrayList<>();
    OrderedCursor<VersionChain> cursor =
        query.reverse() ? chains.descending(range.upper()) : chains.ascending(range.from());
    int live = 0;
    int bytes = 0;
    while (cursor.next() && isInside(cursor.key())) {
      VersionChain visible = shown.newestOf(cursor.value());
      if (visible == null || visible.isMovedAway()) {
        continue;
      }
      byte[] key = cursor.key();
      byte[] ku = Arrays.copyOfRange(key, CompositeKey.KCL_BYTES, key.length);
      byte[] value = query.values() ? shown.value(shard, key, visible) : null;
      entries.add(new ReadAnswer.Entry(ku, value, visible.seen()));
      live += visible.isTombstone() ? 0 : 1;
      bytes += key.length + (query.values() ? visible.size() : 0);
      if (live >= query.limit() || entries.size() >= entriesMax || bytes >= bytesMax) {
        return new ReadAnswer.Scanned(header, entries, false);
      }
    }
    return new ReadAnswer.Scanned(header, entries, true);
  }

  private boolean startIsCovered(byte[] fence) {
    if (!query.reverse()) {
      return fences.covers(fence, query.from());
    }
    return fences.coversBelow(fence, query.to());
  }

  private boolean isInside(byte[] key) {
    return query.reverse() ? range.isFromOn(key) : range.isBelowUpper(key);
  }
}
