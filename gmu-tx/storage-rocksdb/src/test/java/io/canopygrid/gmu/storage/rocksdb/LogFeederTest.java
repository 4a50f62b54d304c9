package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.storage.wal.SegmentReader;
import io.canopygrid.gmu.storage.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Segments that are full are fed, as long as that works. */
final class LogFeederTest {
  private static final long DISK = 7;
  private static final int SEGMENTS = 12;

  @TempDir Path directory;

  private final List<Path> ended = new ArrayList<>();

  private final class Segments implements WriteAheadLog.Listener {
    @Override
    public void begun(long number) {}

    @Override
    public void ended(long number, Path path) {
      ended.add(path);
    }
  }

  private void log() throws IOException {
    try (WriteAheadLog log = new WriteAheadLog(directory, DISK, 1, 0, 1, new Segments())) {
      for (int i = 0; i < SEGMENTS; i++) {
        log.append(i + 1, ByteBuffer.wrap(new byte[] {1}));
        log.next();
      }
    }
  }

  /** Takes what it is given; the last of so many segments is more than it keeps back. */
  private static class Taking implements LogFeeder.Feed {
    private final int keptBack;
    private final List<Long> taken = new ArrayList<>();
    private final BlockingQueue<List<Long>> stored = new LinkedBlockingQueue<>();

    Taking(int keptBack) {
      this.keptBack = keptBack;
    }

    @Override
    public boolean take(SegmentReader segment) throws IOException {
      assertThat(segment.next()).isTrue();
      taken.add(segment.position());
      if (taken.size() < keptBack) {
        return false;
      }
      store();
      return true;
    }

    @Override
    public void store() {
      stored.add(List.copyOf(taken));
      taken.clear();
    }
  }

  private LogFeeder feeder(LogFeeder.Feed feed) {
    return new LogFeeder(
        feed,
        DISK,
        "feeder",
        e -> {
          throw new AssertionError(e);
        });
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void someSegmentsAreStoredTogether() throws IOException, InterruptedException {
    log();
    Taking taking = new Taking(Integer.MAX_VALUE);
    LogFeeder feeder = feeder(taking);
    ended.subList(0, 2).forEach(feeder::add);
    feeder.awaitRoom(1);
    assertThat(taking.stored).isEmpty();
    feeder.add(ended.get(2));
    assertThat(taking.stored.take()).containsExactly(1L, 2L, 3L);
    ended.subList(3, 5).forEach(feeder::add);
    feeder.end();
    assertThat(taking.stored).as("too few for one more").isEmpty();
    assertThat(ended.subList(0, 3)).allSatisfy(segment -> assertThat(segment).doesNotExist());
    assertThat(ended.subList(3, 5)).allSatisfy(segment -> assertThat(segment).exists());
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void whatTakesMuchMemoryIsStoredBefore() throws IOException, InterruptedException {
    log();
    Taking taking = new Taking(2);
    LogFeeder feeder = feeder(taking);
    ended.subList(0, 3).forEach(feeder::add);
    assertThat(taking.stored.take()).containsExactly(1L, 2L);
    assertThat(taking.stored.take()).containsExactly(3L);
    feeder.end();
    assertThat(ended.subList(0, 3)).allSatisfy(segment -> assertThat(segment).doesNotExist());
  }

  /** A caller may ask for it while a segment is fed, and none waits when that is done. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void aSegmentIsStoredAloneWhereThatIsAskedFor() throws IOException, InterruptedException {
    log();
    CompletableFuture<LogFeeder> made = new CompletableFuture<>();
    Taking taking =
        new Taking(Integer.MAX_VALUE) {
          @Override
          public boolean take(SegmentReader segment) throws IOException {
            made.join().hurry();
            return super.take(segment);
          }
        };
    LogFeeder feeder = feeder(taking);
    made.complete(feeder);
    feeder.hurry();
    for (int i = 0; i < 3; i++) {
      feeder.add(ended.get(i));
      feeder.hurry();
      assertThat(taking.stored.take()).containsExactly(i + 1L);
    }
    feeder.end();
  }

  /** The thread that has logged a second one waits until one of them is fed. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void fewSegmentsWaitWhereTheyAreToBeFedAtOnce() throws IOException, InterruptedException {
    log();
    CompletableFuture<Void> goesOn = new CompletableFuture<>();
    LogFeeder feeder =
        feeder(
            new Taking(Integer.MAX_VALUE) {
              @Override
              public boolean take(SegmentReader segment) throws IOException {
                goesOn.join();
                return super.take(segment);
              }
            });
    ended.subList(0, 2).forEach(feeder::add);
    feeder.hurry();
    Thread logs = new Thread(() -> feeder.awaitRoom(1));
    logs.start();
    while (logs.isAlive() && logs.getState() != Thread.State.WAITING) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertThat(logs.isAlive()).isTrue();
    goesOn.complete(null);
    logs.join();
    assertThat(ended.get(0)).doesNotExist();
    feeder.end();
  }

  /** Also an error, as that of a heap that is full. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void nobodyWaitsForRoomOnceFeedingHasFailed() throws IOException {
    log();
    OutOfMemoryError full = new OutOfMemoryError("for the test");
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    LogFeeder feeder =
        new LogFeeder(
            new LogFeeder.Feed() {
              @Override
              public boolean take(SegmentReader segment) {
                throw full;
              }

              @Override
              public void store() {}
            },
            DISK,
            "feeder",
            failure::complete);
    ended.forEach(feeder::add);
    feeder.awaitRoom(1);
    assertThat(failure).isCompletedWithValue(full);
    feeder.end();
    assertThat(ended).allSatisfy(segment -> assertThat(segment).exists());
  }
}
