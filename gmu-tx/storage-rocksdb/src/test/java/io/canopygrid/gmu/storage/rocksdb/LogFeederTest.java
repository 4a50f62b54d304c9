package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.storage.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

  /** Also an error, as that of a heap that is full. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void nobodyWaitsForRoomOnceFeedingHasFailed() throws IOException {
    try (WriteAheadLog log = new WriteAheadLog(directory, DISK, 1, 0, 1, new Segments())) {
      for (int i = 0; i < SEGMENTS; i++) {
        log.next();
      }
    }
    OutOfMemoryError full = new OutOfMemoryError("for the test");
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    LogFeeder feeder =
        new LogFeeder(
            segment -> {
              throw full;
            },
            DISK,
            "feeder",
            failure::complete);
    ended.forEach(feeder::add);
    feeder.awaitRoom();
    assertThat(failure).isCompletedWithValue(full);
    feeder.end();
    assertThat(ended).allSatisfy(segment -> assertThat(segment).exists());
  }
}
