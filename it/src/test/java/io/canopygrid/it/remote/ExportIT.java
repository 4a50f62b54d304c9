package io.canopygrid.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Loader;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that export indexes of three servers, while others write to these. */
@NullUnmarked // the cluster is there while a test runs
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ExportIT {
  private static final int ACCOUNTS = 20_000;
  private static final long OPENING = 100;
  private static final int WRITERS = 2;

  /** Four pages of an export of a named snapshot. */
  private static final int MANY = 200_000;

  private static final int INTERRUPTED = 130;
  private static final int INTERRUPTIONS_MOST = 10;

  private static LocalCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    cluster = LocalCluster.startServers(3, "384m", Narrator.onStandardError());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Index<Long, Long> load(String name, int entries) {
    Canopy db = cluster.canopy();
    IndexOptions small = IndexOptions.DEFAULTS.withSubtreeEntriesMax(entries / 20);
    Index<Long, Long> index = db.index(name, Codec.int64(), Codec.int64(), small);
    try (Loader<Long, Long> loader = db.loader(index)) {
      for (long key = 0; key < entries; key++) {
        loader.add(key, OPENING);
      }
      loader.flush();
    }
    return index;
  }

  private Process export(File output, String... words) throws IOException {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", JavaCommand.classPath()));
    command.addAll(List.of("io.canopygrid.server.cli.Main", "export", "-c", cluster.uri()));
    command.addAll(List.of(words));
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
  }

  private static int exitCode(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private File output() {
    return directory.resolve("output").toFile();
  }

  @Test
  void theSumOfABankIsRightWhileTransfersRun() throws Exception {
    Index<Long, Long> accounts = load("accounts", ACCOUNTS);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong transfers = new AtomicLong();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                while (!ended.get()) {
                  transfer(accounts, random);
                  transfers.incrementAndGet();
                }
              },
              task -> new Thread(task, "writer").start()));
    }
    try {
      for (String more : List.of("", "night")) {
        if (!more.isEmpty()) {
          cluster.canopy().snapshot(more);
        }
        long before = transfers.get();
        Path file = directory.resolve("accounts" + more + ".jsonl");
        Process process =
            export(output(), file.toString(), "--index", "accounts", "--snapshot", more);
        assertThat(exitCode(process)).as(Files.readString(output().toPath())).isZero();
        assertThat(transfers.get()).isGreaterThan(before);
        assertSum(file);
      }
    } finally {
      ended.set(true);
      writers.forEach(CompletableFuture::join);
    }
  }

  private static void transfer(Index<Long, Long> accounts, SplittableRandom random) {
    long from = random.nextLong(ACCOUNTS);
    long to = random.nextLong(ACCOUNTS);
    long cents = random.nextLong(10);
    cluster
        .canopy()
        .run(tx -> {
          tx.on(accounts).compute(from, (key, balance) -> balance - cents);
          tx.on(accounts).compute(to, (key, balance) -> balance + cents);
        });
  }

  private static void assertSum(Path file) throws IOException {
    ObjectMapper json = new ObjectMapper();
    long sum = 0;
    long key = 0;
    boolean changed = false;
    for (String line : Files.readAllLines(file)) {
      JsonNode record = json.readTree(line);
      assertThat(record.get("key").asLong()).isEqualTo(key++);
      long balance = record.get("value").asLong();
      changed |= balance != OPENING;
      sum += balance;
    }
    assertThat(key).isEqualTo(ACCOUNTS);
    assertThat(sum).isEqualTo(ACCOUNTS * OPENING);
    assertThat(changed).isTrue();
  }

  @Test
  void anInterruptedExportIsGoneOnWithInItsSnapshot() throws Exception {
    Index<Long, Long> many = load("many", MANY);
    RemoteCanopy db = (RemoteCanopy) cluster.canopy();
    db.snapshot("evening");
    Path file = directory.resolve("many.csv");
    String[] words = {file.toString(), "--index", "many", "--snapshot", "evening"};
    Path mark = directory.resolve("many.csv.canopy-export");
    assertThat(interruptOne(file, mark, words)).isEqualTo(INTERRUPTED);
    assertThat(file).doesNotExist();
    assertThat(directory.resolve("many.csv.part")).exists();

    db.run(tx -> {
      for (long key = 0; key < MANY; key += 500) {
        tx.on(many).put(key, 0L);
      }
    });
    Process rest = export(output(), (String.join(" ", words) + " --resume").split(" "));
    assertThat(exitCode(rest)).as(Files.readString(output().toPath())).isZero();
    List<String> expected =
        LongStream.range(0, MANY).mapToObj(key -> "\"" + key + "\",\"" + OPENING + "\"").toList();
    List<String> lines = Files.readAllLines(file);
    assertThat(lines.subList(1, lines.size()).equals(expected)).isTrue();
    assertThat(directory.resolve("many.csv.part")).doesNotExist();
    assertThat(mark).doesNotExist();
  }

  /**
   * Interrupts an export of many entries when it has a mark. An export that was whole by then is
   * deleted, and another one is interrupted.
   *
   * @return the exit code of the last one
   */
  private int interruptOne(Path file, Path mark, String... words)
      throws IOException, InterruptedException {
    int code;
    int exports = 0;
    do {
      Files.deleteIfExists(file);
      Files.deleteIfExists(mark);
      Process process = export(output(), words);
      while (!Files.exists(mark) && process.isAlive()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
      code = exitCode(process);
      exports++;
    } while (exports < INTERRUPTIONS_MOST && hasMany(file));
    return code;
  }

  private static boolean hasMany(Path file) throws IOException {
    return Files.exists(file) && Files.readAllLines(file).size() == MANY + 1;
  }

  @Test
  void outputThatNobodyTakesIsAFailure() throws Exception {
    load("some", 1_000);
    Process process = export(new File("/dev/full"), "-", "--format", "json", "--index", "some");
    assertThat(exitCode(process)).isEqualTo(1);
  }
}
