package io.canopygrid.gmu.protocol.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commits that another one comes after (protocol.md, Prepare). */
final class MergedClocksTest {
  private static final int SHARD = 0;
  private static final long KCL = 7;
  private static final long OTHER_KCL = 8;
  private static final CompositeKey KEY = CompositeKey.of(KCL, new byte[] {1});

  private static final VectorClock MOVE = clock(5, 1);
  private static final VectorClock WRITER = clock(6, 2);
  private static final VectorClock READER = clock(7, 3);
  private static final VectorClock ELSEWHERE = clock(8, 4);

  private final OrderedStore<VersionChain> chains = new TreeMapStore<>();
  private final MergedClocks merged = new MergedClocks(chains);

  /** A change of the tree has put the kcl's keys here, and left the tombstones of others behind. */
  @Test
  void aReadOfWhatIsNotThereComesAfterTheHeader() {
    put(CompositeKey.header(KCL), MOVE);
    assertThat(merged.precedes(reads(KEY))).isEqualTo(MOVE);
    assertThat(merged.precedes(scans(KCL))).isEqualTo(MOVE);
    assertThat(merged.precedes(reads(CompositeKey.of(OTHER_KCL, new byte[] {1}))))
        .isEqualTo(VectorClock.ZERO);
  }

  @Test
  void aWriteComesAfterTheHeaderTheVersionBeforeAndTheReaders() {
    put(CompositeKey.header(KCL), MOVE);
    put(KEY, WRITER);
    merged.mergeReader(READER);
    merged.merge(ELSEWHERE);
    assertThat(merged.precedes(writes(KEY))).isEqualTo(MOVE.join(WRITER).join(READER));
  }

  @Test
  void aWriteOfAHeaderComesAfterAll() {
    merged.mergeUnknown(READER);
    merged.merge(ELSEWHERE);
    assertThat(merged.precedes(writes(CompositeKey.header(KCL))))
        .isEqualTo(READER.join(ELSEWHERE))
        .isEqualTo(merged.mostRecent());
  }

  @Test
  void aReadDoesNotComeAfterOtherReaders() {
    merged.mergeUnknown(READER);
    assertThat(merged.precedes(reads(KEY))).isEqualTo(VectorClock.ZERO);
  }

  private void put(CompositeKey key, VectorClock clock) {
    TxId writer = new TxId(new NodeId(1), clock.get(SHARD));
    chains.put(
        key.bytes(), VersionChain.of(writer, writer, clock.get(SHARD), clock, new byte[] {1}));
  }

  private static Footprint reads(CompositeKey key) {
    return new Footprint(List.of(new KeyRead(key, Seen.ABSENT)), List.of(), List.of());
  }

  private static Footprint scans(long kcl) {
    RangeRead range = new RangeRead(kcl, new byte[] {0}, null, List.of());
    return new Footprint(List.of(), List.of(range), List.of());
  }

  private static Footprint writes(CompositeKey key) {
    return new Footprint(List.of(), List.of(), List.of(new Write(key, new byte[] {2}, null)));
  }

  private static VectorClock clock(long number, int otherShard) {
    return VectorClock.ZERO.with(SHARD, number).with(otherShard, number);
  }
}
