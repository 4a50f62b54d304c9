package io.canopygrid.server.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.FeedPosition;
import io.canopygrid.Index;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.terminal.Narrator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches of a feed. */
@NullUnmarked // the node is there while a test runs
@Timeout(60)
final class FeedWatchTest {
  private static final long NO_END = Long.MAX_VALUE;
  private static final Pattern WITHOUT_POSITION =
      Pattern.compile(",\"position\":\"[A-Za-z0-9_-]+\"");

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private EmbeddedCanopy node;
  private Index<String, String> visits;

  @BeforeEach
  void start() {
    node = EmbeddedCanopy.start();
    visits = node.index("visits", TextCodec.of("int64", true), TextCodec.of("string", false));
    node.snapshot("begin"); // all that is later is kept
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void writeThree() {
    node.run(tx -> {
      tx.on(visits).put("1", "one");
      tx.on(visits).put("2", "two\u001b[31m");
    });
    node.run(tx -> tx.on(visits).put("1", "eins"));
    node.run(tx -> tx.on(visits).remove("2"));
  }

  private FeedWatch watch(
      ChangeFeed<String, String> feed,
      WatchFormat format,
      @Nullable PositionFile file,
      FeedWatch.Terms terms) {
    PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
    return new FeedWatch(
        feed, new ChangePrinter(new PrintWriter(out), format), file, Narrator.on(err), terms);
  }

  private static FeedWatch.Terms limit(long transactions) {
    return new FeedWatch.Terms(transactions, NO_END, () -> false);
  }

  private FeedPosition run(
      FeedOptions<String> options, WatchFormat format, @Nullable PositionFile file, long limit) {
    try (ChangeFeed<String, String> feed = node.changes(visits, options)) {
      FeedWatch watch = watch(feed, format, file, limit(limit));
      assertThat(watch.run()).isTrue();
      return watch.position();
    }
  }

  @Test
  void aLineIsPrintedForEachChange() {
    writeThree();
    FeedPosition end = run(FeedOptions.since("begin"), WatchFormat.TEXT, null, 3);
    assertThat(out)
        .hasToString(
            """
            + 1 = one
            + 2 = two\\u001b[31m

            ~ 1: one -> eins

            - 2
            """
                .replace("\n", System.lineSeparator()));
    node.run(tx -> tx.on(visits).put("3", "three"));
    out.getBuffer().setLength(0);
    run(FeedOptions.after(end), WatchFormat.TEXT, null, 1);
    assertThat(out).hasToString("+ 3 = three" + System.lineSeparator());
  }

  @Test
  void aLineOfJsonIsPrintedForEachTransaction() {
    writeThree();
    FeedPosition end = run(FeedOptions.since("begin"), WatchFormat.JSON, null, 3);
    List<String> lines = out.toString().lines().toList();
    assertThat(lines)
        .extracting(line -> WITHOUT_POSITION.matcher(line).replaceAll(""))
        .containsExactly(
            "{\"changes\":[{\"key\":\"1\",\"before\":null,\"after\":\"one\"},"
                + "{\"key\":\"2\",\"before\":null,\"after\":\"two\\u001B[31m\"}]}",
            "{\"changes\":[{\"key\":\"1\",\"before\":\"one\",\"after\":\"eins\"}]}",
            "{\"changes\":[{\"key\":\"2\",\"before\":\"two\\u001B[31m\",\"after\":null}]}");
    assertThat(lines.get(2)).contains("\"position\":\"" + end + "\"");
  }

  /** A group that was begun is printed to its end, so whoever goes on does not begin with it. */
  @Test
  void aWatchThatIsStartedAgainGoesOn() throws IOException {
    PositionFile file = new PositionFile(directory.resolve("visits.position"));
    run(FeedOptions.since("begin"), WatchFormat.TEXT, file, 0);
    for (int key = 0; key < 20; key++) {
      String text = Integer.toString(key);
      node.run(tx -> tx.on(visits).put(text, "v"));
    }
    while (out.toString().lines().filter(line -> line.startsWith("+")).count() < 20) {
      FeedPosition kept = file.read().orElseThrow();
      FeedPosition next = run(FeedOptions.after(kept), WatchFormat.TEXT, file, 1);
      assertThat(next).isNotEqualTo(kept).isEqualTo(file.read().orElseThrow());
    }
    for (int key = 0; key < 20; key++) {
      assertThat(out.toString()).containsOnlyOnce("+ " + key + " = v");
    }
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file.path());
    }
  }

  @Test
  void aWatchEndsAfterItsTimeOrWhenItIsStopped() {
    try (ChangeFeed<String, String> feed = node.changes(visits, FeedOptions.fromNow())) {
      long nanos = TimeUnit.MILLISECONDS.toNanos(300);
      long beganNanos = System.nanoTime();
      assertThat(
              watch(feed, WatchFormat.TEXT, null, new FeedWatch.Terms(NO_END, nanos, () -> false))
                  .run())
          .isTrue();
      assertThat(System.nanoTime() - beganNanos).isGreaterThanOrEqualTo(nanos);
      assertThat(
              watch(feed, WatchFormat.TEXT, null, new FeedWatch.Terms(NO_END, NO_END, () -> true))
                  .run())
          .isTrue();
    }
    assertThat(out).hasToString("");
  }

  /** The position stays before what nobody has got. */
  @Test
  void aReaderThatIsGoneEndsIt() {
    writeThree();
    PrintWriter closed =
        new PrintWriter(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("closed");
              }
            },
            false,
            StandardCharsets.UTF_8);
    try (ChangeFeed<String, String> feed =
        node.changes(visits, FeedOptions.<String>since("begin"))) {
      FeedWatch watch =
          new FeedWatch(
              feed,
              new ChangePrinter(closed, WatchFormat.TEXT),
              null,
              Narrator.on(new PrintStream(said, true, StandardCharsets.UTF_8)),
              limit(NO_END));
      assertThat(watch.run()).isFalse();
      run(FeedOptions.after(watch.position()), WatchFormat.TEXT, null, 3);
      assertThat(out.toString()).startsWith("+ 1 = one");
    }
  }

  /** A feed that fails so many times before it goes on. */
  private record FailingFeed(ChangeFeed<String, String> feed, ErrorCode code, AtomicInteger left)
      implements ChangeFeed<String, String> {
    @Override
    public @Nullable ChangeSet<String, String> next(Duration atMost) {
      if (left.getAndDecrement() > 0) {
        throw new CanopyException(code, "it fails");
      }
      return feed.next(atMost);
    }

    @Override
    public FeedPosition position() {
      return feed.position();
    }

    @Override
    public void close() {
      feed.close();
    }
  }

  private FeedWatch failing(ErrorCode code) {
    return watch(
        new FailingFeed(
            node.changes(visits, FeedOptions.<String>since("begin")), code, new AtomicInteger(3)),
        WatchFormat.TEXT,
        null,
        limit(3));
  }

  @Test
  void aFailureThatPassesIsBornAndToldOnce() {
    writeThree();
    assertThat(failing(ErrorCode.NOT_CONNECTED).run()).isTrue();
    assertThat(said.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("waiting for the cluster: " + ErrorCode.NOT_CONNECTED);
    assertThat(out.toString()).contains("- 2");
  }

  @Test
  void anyOtherFailureEndsIt() {
    assertThatThrownBy(failing(ErrorCode.CHANGES_LOST)::run)
        .isInstanceOfSatisfying(
            CanopyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CHANGES_LOST));
  }

  @Test
  void aFileWithoutAPositionIsRefused() throws IOException {
    PositionFile file = new PositionFile(directory.resolve("p"));
    assertThat(file.read()).isEmpty();
    Files.write(file.path(), new byte[] {(byte) 0xFF, 'x'});
    assertThatThrownBy(file::read)
        .isInstanceOf(CanopyException.class)
        .hasMessageContaining("INVALID_TOKEN")
        .hasMessageContaining(file.path().toString());
    PositionFile nowhere = new PositionFile(directory.resolve("none").resolve("p"));
    FeedPosition position;
    try (ChangeFeed<String, String> feed = node.changes(visits, FeedOptions.fromNow())) {
      position = feed.position();
    }
    assertThatThrownBy(() -> nowhere.write(position))
        .isInstanceOf(CanopyException.class)
        .hasMessageContaining("there is no such directory");
    assertThatThrownBy(new PositionFile(directory)::read)
        .isInstanceOf(CanopyException.class)
        .hasMessageContaining("it cannot be read");
  }
}
