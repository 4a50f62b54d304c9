package io.canopygrid.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexOptions;
import io.canopygrid.Loader;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.table.NamedBytes;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A backup of three servers that is killed and gone on with, while others write and a server is
 * lost. It is restored into four servers, one of which is lost then, too.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class BackupIT {
  private static final int ACCOUNTS = 20_000;
  private static final long OPENING = 100;
  private static final int MANY = 18_000;
  private static final int INTERRUPTED = 130;
  private static final int KILLED = 137;
  private static final int DAMAGED = 3;
  private static final int ENDINGS_MOST = 10;

  private static final TransactionOptions PATIENT =
      TransactionOptions.DEFAULTS.withTimeout(Duration.ofMinutes(1)).withMaxAttempts(1_000);

  private static final IndexDefinition<String, String> BY_LETTER =
      IndexDefinition.of("letter", Codec.string(), row -> row.substring(0, 1));

  @TempDir private Path directory;

  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicLong transfers = new AtomicLong();

  private Path backups() {
    return directory.resolve("backups");
  }

  private Path output() {
    return directory.resolve("output");
  }

  private Process backup(String command, String... words) throws IOException {
    List<String> line = JavaCommand.ofThisJvm();
    line.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    line.addAll(List.of("-cp", JavaCommand.classPath()));
    line.addAll(List.of("io.canopygrid.server.cli.Main", "backup", command));
    line.add(backups().toString());
    line.addAll(List.of(words));
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(output().toFile())
        .start();
  }

  private void assertExit(Process process, int code) throws IOException, InterruptedException {
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output())).isEqualTo(code);
    } finally {
      process.destroyForcibly();
    }
  }

  private static void await(Process process, BooleanSupplier condition) {
    while (process.isAlive() && !condition.getAsBoolean()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private long files(String folder) {
    try (Stream<Path> files = Files.exists(backups()) ? Files.walk(backups()) : Stream.empty()) {
      return files.filter(file -> file.toString().contains("/" + folder + "/")).count();
    } catch (IOException | java.io.UncheckedIOException e) {
      return 0; // a file was renamed just now
    }
  }

  private static Table<Long, String> words(Canopy db) {
    return db.table("words", Codec.int64(), Codec.string(), List.of(BY_LETTER));
  }

  private static void fill(Canopy db) {
    Index<Long, Long> accounts = db.index("accounts", Codec.int64(), Codec.int64());
    IndexOptions small = IndexOptions.DEFAULTS.withSubtreeEntriesMax(500);
    Index<Long, byte[]> many = db.index("many", Codec.int64(), Codec.bytes(), small);
    SplittableRandom random = new SplittableRandom(1);
    try (Loader<Long, Long> ofAccounts = db.loader(accounts);
        Loader<Long, byte[]> ofMany = db.loader(many)) {
      for (long key = 0; key < ACCOUNTS; key++) {
        ofAccounts.add(key, OPENING);
      }
      for (long key = 0; key < MANY; key++) {
        byte[] value = new byte[random.nextInt(2_000)];
        random.nextBytes(value);
        ofMany.add(key, value);
      }
      ofAccounts.flush();
      ofMany.flush();
    }
    Table<Long, String> words = words(db);
    words.createIndex(BY_LETTER);
    db.run(tx -> {
      for (long key = 0; key < 400; key++) {
        tx.on(words).put(key, Long.toString(key * 7_919, 36));
      }
    });
  }

  /** Moves money, and changes words and their entries, until it is told to end. */
  private void write(Canopy db, int writer) {
    Index<Long, Long> accounts = db.index("accounts", Codec.int64(), Codec.int64());
    Table<Long, String> words = words(db);
    SplittableRandom random = new SplittableRandom(writer);
    while (!ended.get()) {
      long from = random.nextLong(ACCOUNTS);
      long to = random.nextLong(ACCOUNTS);
      long cents = random.nextLong(10);
      String word = Long.toString(random.nextLong(1 << 30), 36);
      try {
        db.run(
            PATIENT,
            tx -> {
              tx.on(accounts).compute(from, (key, balance) -> balance - cents);
              tx.on(accounts).compute(to, (key, balance) -> balance + cents);
              tx.on(words).put(from % 400, word);
            });
      } catch (CanopyException e) {
        if (e.commitState() != CommitState.UNKNOWN) {
          throw e;
        }
      }
      transfers.incrementAndGet();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  @Test
  void theBackupUnderLoadIsTheSnapshotByteForByte() throws Exception {
    Map<String, String> snapshot;
    try (LocalCluster cluster = LocalCluster.startServers(3, "320m", Narrator.onStandardError())) {
      RemoteCanopy db = (RemoteCanopy) cluster.canopy();
      fill(db);
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int writer = i;
        writers.add(
            CompletableFuture.runAsync(
                () -> write(db, writer), task -> new Thread(task, "writer").start()));
      }
      try {
        interruptOne(cluster, db);
        snapshot = killOneAndGoOn(cluster, db);
      } finally {
        ended.set(true);
        writers.forEach(CompletableFuture::join);
      }
    }
    assertExit(backup("verify"), 0);
    restore(snapshot);
    findAFlippedByte();
  }

  /**
   * Begins a backup, and ends it by a signal when it has written some files. A backup that was
   * whole by then is removed with its snapshot, and another one is begun.
   */
  private Process endOne(RemoteCanopy db, String signal, String folder, int least, String... words)
      throws IOException, InterruptedException {
    long before = files(folder);
    int begun = 0;
    while (true) {
      Process process = backup("create", words);
      begun++;
      await(process, () -> files(folder) >= before + least);
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      if (!process.waitFor(120, TimeUnit.SECONDS) || begun == ENDINGS_MOST || !isNewestWhole()) {
        return process;
      }
      removeNewest();
      db.snapshots().forEach(snapshot -> db.dropSnapshot(snapshot.name()));
    }
  }

  private Optional<Path> newest() throws IOException {
    try (Stream<Path> folders = Files.list(backups())) {
      return folders.max(Comparator.naturalOrder());
    }
  }

  private boolean isNewestWhole() throws IOException, InterruptedException {
    Path newest = Files.exists(backups()) ? newest().orElse(null) : null;
    return newest != null
        && Files.exists(newest.resolve("manifest.json"))
        && backup("verify").waitFor() == 0;
  }

  private void removeNewest() throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(newest().orElseThrow())) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }

  /** Ctrl-C leaves no snapshot, and nothing that looks whole. */
  private void interruptOne(LocalCluster cluster, RemoteCanopy db) throws Exception {
    String[] words = {"-c", cluster.uri(), "--file-size", "1", "--workers", "1"};
    assertExit(endOne(db, "INT", "data", 1, words), INTERRUPTED);
    assertThat(db.snapshots()).isEmpty();
    assertExit(backup("restore", "-c", cluster.uri()), 1);
  }

  /** The digests of all indexes in the snapshot of the backup, which is whole then. */
  private Map<String, String> killOneAndGoOn(LocalCluster cluster, RemoteCanopy db)
      throws Exception {
    String[] words = {"-c", cluster.uri(), "--resume", "--file-size", "1", "--workers", "2"};
    assertExit(endOne(db, "KILL", "done", 3, words), KILLED);
    assertThat(db.snapshots()).hasSize(1);
    assertExit(backup("verify"), DAMAGED); // the newest one
    Map<String, String> snapshot =
        Digests.of(db, TransactionOptions.DEFAULTS.at(db.snapshots().get(0).name()));

    long before = transfers.get();
    long done = files("done");
    Process second = backup("create", words);
    await(second, () -> files("done") >= done + 5);
    cluster.kill(2);
    assertExit(second, 0);
    assertThat(transfers.get()).isGreaterThan(before);
    assertThat(db.snapshots()).isEmpty();
    assertThat(Digests.of(db, PATIENT)).isNotEqualTo(snapshot);
    return snapshot;
  }

  private void restore(Map<String, String> snapshot) throws Exception {
    try (LocalCluster cluster = LocalCluster.startServers(4, "256m", Narrator.onStandardError())) {
      RemoteCanopy db = (RemoteCanopy) cluster.canopy();
      Process process = backup("restore", "-c", cluster.uri(), "--workers", "2");
      await(process, () -> db.indexes().contains("many"));
      cluster.kill(3);
      assertExit(process, 0);
      assertThat(Digests.of(db, PATIENT)).isEqualTo(snapshot);
      Index<Long, Long> accounts = db.index("accounts", Codec.int64(), Codec.int64());
      long sum =
          db.<Long, RuntimeException>read(
              PATIENT,
              tx ->
                  tx.on(accounts).scan(Range.all()).stream().mapToLong(Map.Entry::getValue).sum());
      assertThat(sum).isEqualTo(ACCOUNTS * OPENING);
      assertThat(words(db).check().differences()).isEmpty();
    }
  }

  private void findAFlippedByte() throws IOException, InterruptedException {
    Path file;
    try (Stream<Path> files = Files.walk(newest().orElseThrow())) {
      file = files.filter(each -> each.toString().endsWith(".gz")).sorted().toList().get(3);
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertExit(backup("verify"), DAMAGED);
  }

  /** Digests of what indexes have, by their names. */
  private static final class Digests {
    static Map<String, String> of(RemoteCanopy db, TransactionOptions options) {
      Map<String, String> digests = new TreeMap<>();
      db.catalog().indexes().stream()
          .filter(index -> !index.name().startsWith("canopy."))
          .forEach(index -> {
            Index<byte[], byte[]> raw =
                db.existing(
                    index.name(),
                    new NamedBytes(index.keyCodec()),
                    new NamedBytes(index.valueCodec()));
            digests.put(index.name(), StoredBytes.digest(db, options, raw));
          });
      return digests;
    }
  }
}
