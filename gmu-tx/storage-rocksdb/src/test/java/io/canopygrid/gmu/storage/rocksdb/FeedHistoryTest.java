package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.DiskImage;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commits as a grid has them: numbers rise, and most of what is put is dropped soon, some of it
 * late, and some is put again. A storage that feeds its engine meanwhile, many times, has what a
 * replay gives.
 */
final class FeedHistoryTest {
  private static final int SHARD = 3;
  private static final int STEPS = 8_000;
  private static final int REOPENED_EVERY = 3_000;
  private static final int FEEDS_MIN = 10;
  private static final NodeId NODE = new NodeId(7);

  @TempDir Path temporary;

  private final DiskImage image = new DiskImage();
  private final List<StorageChange> alive = new ArrayList<>();
  private final List<StorageChange> gone = new ArrayList<>();
  private Random random = new Random();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anEngineThatIsFedHasWhatAReplayGives(long seed) throws IOException {
    random = new Random(seed);
    Path path = temporary.resolve("data");
    Storage storage = TestEngine.open(path);
    try {
      storage.recovered();
      write(
          storage,
          1,
          List.of(new StorageChange.BeginCopy(SHARD), new StorageChange.CompleteCopy(SHARD)));
      for (long position = 2; position <= STEPS; position++) {
        write(storage, position, step(position));
        if (position % REOPENED_EVERY == 0 || position == STEPS) {
          storage.close();
          storage = TestEngine.open(path);
          assertThat(Contents.of(storage.recovered()))
              .as("seed %d, position %d", seed, position)
              .isEqualTo(Contents.of(image.recovered()));
        }
      }
      String last = DirectoryContent.segments(path).get(0).getFileName().toString();
      assertThat(Long.parseLong(last.replace(".log", ""))).isGreaterThan(3 * FEEDS_MIN);
    } finally {
      storage.close();
    }
  }

  private void write(Storage storage, long position, List<StorageChange> changes) {
    changes.forEach(image::apply);
    storage.write(List.of(new Storage.Batch(position, changes)));
  }

  private List<StorageChange> step(long position) {
    List<StorageChange> changes = new ArrayList<>(commit(position));
    alive.addAll(changes);
    for (int i = 0; i < 4 && alive.size() > 20; i++) {
      boolean isLate = random.nextInt(50) == 0;
      StorageChange put = alive.remove(random.nextInt(isLate ? alive.size() : 20));
      changes.add(drop(put));
      gone.add(put);
    }
    if (!gone.isEmpty() && random.nextInt(100) == 0) {
      StorageChange again = gone.get(gone.size() - 1 - random.nextInt(Math.min(gone.size(), 500)));
      changes.add(again);
      alive.add(0, again);
    }
    if (random.nextInt(200) == 0) {
      changes.add(new StorageChange.PutMark(NODE, position - random.nextInt(300)));
    }
    return changes;
  }

  /** Its number is not always above that of the one before. */
  private List<StorageChange> commit(long position) {
    TxId tid = new TxId(NODE, position);
    long number = Math.max(1, position - random.nextInt(10));
    CompositeKey key = CompositeKey.of(1, new byte[] {(byte) random.nextInt(10)});
    byte[] value = new byte[800];
    random.nextBytes(value);
    VectorClock clock = VectorClock.of(new int[] {SHARD}, new long[] {number});
    Footprint footprint =
        new Footprint(List.of(), List.of(), List.of(new Footprint.Write(key, value, null)));
    TxRecord rec = new TxRecord(tid, SHARD, List.of(SHARD), clock, footprint, true, "label");
    return List.of(
        new StorageChange.PutRecord(rec),
        new StorageChange.PutDecision(
            new Decision(tid, clock, List.of(SHARD), clock, List.of(rec))),
        new StorageChange.PutVersion(SHARD, key, number, tid, tid, value),
        new StorageChange.PutLog(SHARD, number, tid, clock));
  }

  private static StorageChange drop(StorageChange put) {
    if (put instanceof StorageChange.PutRecord one) {
      return new StorageChange.DropRecord(SHARD, one.rec().tid());
    }
    if (put instanceof StorageChange.PutDecision one) {
      return new StorageChange.DropDecision(one.decision().tid());
    }
    if (put instanceof StorageChange.PutVersion one) {
      return new StorageChange.DropVersion(SHARD, one.key(), one.sequenceNumber(), one.tid());
    }
    StorageChange.PutLog one = (StorageChange.PutLog) put;
    return new StorageChange.DropLog(SHARD, one.sequenceNumber(), one.tid());
  }
}
