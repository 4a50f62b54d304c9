package io.canopygrid.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Loader;
import io.canopygrid.Range;
import io.canopygrid.ResumeToken;
import io.canopygrid.Transaction;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.load.Encoded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An export whose snapshot the grid gives up ends with that: nothing of another one follows. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SnapshotGivenUpTest {
  private static final int ENTRIES = 2 * IndexExport.PAGE_ENTRIES;
  private static final EntryCodec<String, String> TEXTS =
      new EntryCodec<>("aged", TextCodec.of("int64", true), TextCodec.of("int64", false));

  private final List<String> written = new ArrayList<>();
  private EmbeddedCanopy db;
  private Index<byte[], byte[]> index;

  @BeforeEach
  void start() {
    db =
        EmbeddedCanopy.join(ClusterConfig.of("aged").port(0).snapshotAgeMax(Duration.ofSeconds(1)));
    index = db.index("aged", new Encoded(TEXTS.keys()), new Encoded(TEXTS.values()));
    try (Loader<byte[], byte[]> loader = db.loader(index)) {
      for (long key = 0; key < ENTRIES; key++) {
        loader.add(Codec.int64().encode(key), Codec.int64().encode(1L));
      }
      loader.flush();
    }
  }

  @AfterEach
  void stop() {
    db.close();
  }

  private IndexExport export(String snapshot, Runnable afterTheFirst) {
    RecordSink sink =
        new RecordSink() {
          @Override
          public void begin() {}

          @Override
          public void write(String key, String value) {
            written.add(value);
            if (written.size() == 1) {
              afterTheFirst.run();
            }
          }

          @Override
          public void flush() {}
        };
    IndexExport.Plan plan = new IndexExport.Plan(Range.all(), ResumeToken.NO_LIMIT, snapshot, 0);
    return new IndexExport(db, index, TEXTS, plan, sink, new Unwatched());
  }

  private static final class Unwatched implements IndexExport.Watch {
    @Override
    public void expects(long entries) {}

    @Override
    public void wrote() {}

    @Override
    public void reached(ExportMark.Position at) {}

    @Override
    public void ended() {}

    @Override
    public void say(String line) {}
  }

  /** Waits until the grid has ended a transaction that began now, and changes all entries. */
  private void growOld() {
    CompletableFuture.runAsync(
            () -> {
              try (Transaction tx = db.begin()) {
                while (!isTooOld(tx)) {
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                }
              }
              Index<Long, Long> longs = db.index("aged", Codec.int64(), Codec.int64());
              for (long from = 0; from < ENTRIES; from += 10_000) {
                long first = from;
                db.run(tx -> {
                  for (long key = first; key < first + 10_000; key++) {
                    tx.on(longs).put(key, 2L);
                  }
                });
              }
            })
        .join();
  }

  private boolean isTooOld(Transaction tx) {
    try {
      tx.on(index).firstEntry();
      return false;
    } catch (CanopyException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD);
      return true;
    }
  }

  @Test
  void theTransactionIsTooOld() {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> export("", this::growOld).run())
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
    assertThat(written).isNotEmpty().hasSizeLessThan(ENTRIES).containsOnly("1");
  }

  @Test
  void aNamedSnapshotDoesNotGrowOld() throws Exception {
    db.snapshot("night");
    export("night", this::growOld).run();
    assertThat(written).hasSize(ENTRIES).containsOnly("1");
  }

  @Test
  void theNamedSnapshotIsDropped() {
    db.snapshot("night");
    Runnable replaced =
        () -> {
          growOld();
          db.dropSnapshot("night");
          db.snapshot("night");
        };
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> export("night", replaced).run())
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_SNAPSHOT));
    assertThat(written).hasSize(IndexExport.PAGE_ENTRIES).containsOnly("1");
  }
}
