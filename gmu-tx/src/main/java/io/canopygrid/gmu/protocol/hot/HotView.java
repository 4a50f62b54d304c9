package io.canopygrid.gmu.protocol.hot;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.store.VersionChain;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hot copies that a keeper has of one shard at one moment. Immutable, but for the numbers of
 * reads: readers on any thread look into it.
 *
 * @param upTo up to this number no version of the keys is missing
 * @param horizon what is below it may be gone
 * @param copies by key, headers among them
 */
public record HotView(
    int shard, long upTo, VectorClock horizon, Map<CompositeKey, HotCopy> copies) {

  /** The chain of a key that is kept; null: the key is not kept. */
  public @Nullable VersionChain chain(CompositeKey key) {
    HotCopy copy = copies.get(key);
    return copy == null ? null : copy.chain();
  }

  /** Reads in a snapshot (protocol.md, Hot entries, rule 5); null: the primary has to be asked. */
  @Nullable LocalRead read(
      ReadQuery.Get query, VectorClock snapshot, ShardSet hasRead, Fences fences) {
    HotCopy copy = copies.get(query.key());
    if (copy == null || !isNewEnough(snapshot) || !horizon.precedesOrEquals(snapshot)) {
      return null;
    }
    VectorClock clock = fixed(snapshot, hasRead);
    ShardSet tested = hasRead.with(shard);
    VersionChain headers = chain(CompositeKey.header(query.kcl()));
    VersionChain header = headers == null ? null : headers.visibleTo(clock, tested);
    VersionChain visible = copy.chain().visibleTo(clock, tested);
    if (visible == null || !isCovered(query.key(), headers, header, fences)) {
      return null;
    }
    copy.tally().add();
    VectorClock shown = header == null ? visible.clock() : visible.clock().join(header.clock());
    ReadAnswer answer = new ReadAnswer.Got(visible.value(), visible.seen());
    return new LocalRead(shard, joined(clock, shown), answer);
  }

  /** Whether all is here that the snapshot must see. */
  boolean isNewEnough(VectorClock snapshot) {
    return upTo >= snapshot.get(shard);
  }

  /** The clock of a snapshot after its first read in this shard, but for what it is shown. */
  VectorClock fixed(VectorClock snapshot, ShardSet hasRead) {
    return hasRead.contains(shard) ? snapshot : snapshot.with(shard, upTo);
  }

  /** The clock of a snapshot that was shown versions. */
  static VectorClock joined(VectorClock snapshot, VectorClock shown) {
    return snapshot.join(shown);
  }

  /**
   * Whether the kcl has the key in the snapshot.
   *
   * @param headers the versions of the kcl's header; null: it has none
   * @param header the one that the snapshot sees; null: it sees none
   */
  static boolean isCovered(
      CompositeKey key,
      @Nullable VersionChain headers,
      @Nullable VersionChain header,
      Fences fences) {
    if (headers == null) {
      return !fences.needsHeader(key.kcl());
    }
    byte[] content = header == null ? null : header.newestValue();
    return content != null && fences.covers(content, key.ku());
  }
}
