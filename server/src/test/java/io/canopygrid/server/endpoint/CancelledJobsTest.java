package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Loader;
import io.canopygrid.server.backup.BackupCommand;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.export.ExportCommand;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands that take long are shown as jobs, end when they are cancelled, and go on then. */
@NullUnmarked // the server is there while a test runs
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class CancelledJobsTest {
  private static final int ENTRIES = 20_000;
  private static final int VALUE_BYTES = 500;
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private TestServer server;
  private ApiCaller api;

  @BeforeEach
  void start() throws Exception {
    server = new TestServer(EndpointLimits.DEFAULTS);
    api = ApiCaller.of(server);
    fill();
  }

  @AfterEach
  void stop() {
    HeldStores.allowAll();
    server.close();
  }

  private void fill() {
    Index<Long, byte[]> many =
        server
            .node()
            .index(
                "many",
                Codec.int64(),
                Codec.bytes(),
                IndexOptions.DEFAULTS.withSubtreeEntriesMax(ENTRIES));
    try (Loader<Long, byte[]> loader = server.node().loader(many)) {
      for (long key = 0; key < ENTRIES; key++) {
        loader.add(key, new byte[VALUE_BYTES]);
      }
      loader.flush();
    }
  }

  /** The end of a command. */
  private record Ended(int exitCode, String err) {}

  private CompletableFuture<Ended> run(Object command, String... words) {
    return run(new StringWriter(), command, words);
  }

  private CompletableFuture<Ended> run(Writer out, Object command, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-c", "canopy://" + server.address()));
    return CompletableFuture.supplyAsync(() -> {
      StringWriter err = new StringWriter();
      int exitCode =
          new CommandLine(command)
              .setCaseInsensitiveEnumValuesAllowed(true)
              .setErr(new PrintWriter(err))
              .setOut(new PrintWriter(out))
              .execute(all.toArray(String[]::new));
      return new Ended(exitCode, err.toString());
    });
  }

  private String backups() {
    return "held://" + directory.resolve("backups");
  }

  private void isDone(Object command, String... words) {
    Ended ended = run(command, words).join();
    assertThat(ended.exitCode()).as(ended.err()).isZero();
  }

  /** The newest job of a kind; null: there is none. */
  private @Nullable JsonNode job(String kind) throws Exception {
    JsonNode newest = null;
    for (JsonNode job : api.get("/jobs").ok().get("jobs")) {
      boolean isNewer =
          newest == null
              || job.get("started").asText().compareTo(newest.get("started").asText()) > 0;
      newest = job.get("job").asText().equals(kind) && isNewer ? job : newest;
    }
    return newest;
  }

  private void cancel(String kind, CompletableFuture<Ended> command) throws Exception {
    await()
        .atMost(SOON)
        .until(() -> {
          JsonNode job = job(kind);
          return job != null && job.get("cancellable").asBoolean() && job.get("moved").asLong() > 0;
        });
    JsonNode job = job(kind);
    assertThat(job.get("entries").asLong()).isGreaterThan(job.get("moved").asLong());
    api.post("/jobs/" + job.get("id").asText() + "/cancel", "").ok();
    Ended ended = command.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(ended.exitCode()).as(ended.err()).isOne();
    assertThat(ended.err()).contains(ErrorCode.INTERRUPTED.id(), "the job was cancelled by");
    JsonNode last = job(kind);
    assertThat(last.get("state").asText()).isEqualTo("cancelled");
    assertThat(last.get("error").asText()).contains("the job was cancelled by");
    assertThat(last.get("cancellable").asBoolean()).isFalse();
  }

  private List<Path> files() throws IOException {
    Path backups = directory.resolve("backups");
    if (!Files.isDirectory(backups)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(backups)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void aBackupThatIsCancelledLeavesNothing() throws Exception {
    HeldStores.allow(3);
    cancel("backup", run(new BackupCommand(), "create", backups(), "--file-size", "1"));
    assertThat(files()).isEmpty();
    assertThat(server.node().snapshots()).isEmpty();
    HeldStores.allowAll();
    isDone(new BackupCommand(), "create", backups());
    JsonNode done = job("backup");
    assertThat(done.get("state").asText()).isEqualTo("done");
    assertThat(done.get("moved").asLong()).isEqualTo(ENTRIES);
  }

  @Test
  void aBackupThatIsCancelledGoesOnWithResume() throws Exception {
    HeldStores.allow(3);
    cancel("backup", run(new BackupCommand(), "create", backups(), "--file-size", "1", "--resume"));
    assertThat(files()).isNotEmpty();
    assertThat(server.node().snapshots()).hasSize(1);
    HeldStores.allowAll();
    isDone(new BackupCommand(), "create", backups(), "--resume");
    assertThat(server.node().snapshots()).isEmpty();
    assertThat(files()).anyMatch(file -> file.endsWith("manifest.json"));
    isWhole();
  }

  private void isWhole() {
    CommandLine verify =
        new CommandLine(new BackupCommand()).setOut(new PrintWriter(Writer.nullWriter()));
    assertThat(verify.execute("verify", backups())).isZero();
  }

  @Test
  void aRestoreThatIsCancelledGoesOnWithResume() throws Exception {
    isDone(new BackupCommand(), "create", backups(), "--file-size", "1");
    server.node().dropIndex("many");
    HeldStores.allow(3);
    cancel("restore", run(new BackupCommand(), "restore", backups(), "--workers", "1"));
    assertThat(server.node().indexes()).contains("canopy.restore");
    HeldStores.allowAll();
    isDone(new BackupCommand(), "restore", backups(), "--resume");
    assertThat(server.node().indexes()).doesNotContain("canopy.restore");
    Index<Long, byte[]> many = server.node().index("many", Codec.int64(), Codec.bytes());
    long count = server.node().read(tx -> tx.on(many).count());
    assertThat(count).isEqualTo(ENTRIES);
    assertThat(job("restore").get("state").asText()).isEqualTo("done");
  }

  @Test
  void whatACancelledRestoreHasMadeCanBeDiscarded() throws Exception {
    isDone(new BackupCommand(), "create", backups(), "--file-size", "1");
    server.node().dropIndex("many");
    HeldStores.allow(3);
    cancel("restore", run(new BackupCommand(), "restore", backups(), "--workers", "1"));
    HeldStores.allowAll();
    isDone(new BackupCommand(), "discard");
    assertThat(server.node().indexes()).isEmpty();
  }

  @Test
  void anExportIsCancelledWhileItIsWritten() throws Exception {
    cancel(
        "export",
        run(new SlowWriter(), new ExportCommand(), "-", "--index", "many", "--format", "csv"));
    Path file = directory.resolve("many.csv");
    isDone(new ExportCommand(), file.toString(), "--index", "many");
    JsonNode done = job("export");
    assertThat(done.get("state").asText()).isEqualTo("done");
    assertThat(done.get("index").asText()).isEqualTo("many");
    assertThat(done.get("detail").asText()).isEqualTo("many.csv");
    assertThat(done.get("moved").asLong()).isEqualTo(ENTRIES);
    assertThat(Files.readAllLines(file)).hasSize(1 + ENTRIES);
  }

  /** Takes so long for each text that an export takes some seconds. */
  private static final class SlowWriter extends Writer {
    @Override
    public void write(char[] text, int offset, int length) throws IOException {
      try {
        Thread.sleep(3);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
