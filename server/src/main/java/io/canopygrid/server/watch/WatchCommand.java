package io.canopygrid.server.watch;

import io.canopygrid.CanopyException;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.FeedPosition;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.config.Durations;
import io.canopygrid.config.WrongValueException;
import io.canopygrid.engine.TablePart;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.shell.Connect;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.wire.client.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy watch}: prints the changes of an index as they are committed. */
@Command(
    name = "watch",
    description = {
      "Print the changes of an index, or of the rows of a table, as they are committed.",
      "Each transaction comes whole, and after all that it depends on. Ctrl-C ends it."
    },
    footer = {
      "",
      "Examples:",
      "  canopy watch orders -c canopy://vm1,vm2",
      "  canopy watch orders --output json --position-file orders.position",
      "  canopy watch orders --since night --limit 10",
      "",
      "+ is a key that was inserted, - one that was removed, ~ one whose value has changed.",
      "",
      "At the end it says how to go on. With --position-file the next run does: it misses nothing,",
      "and may print again what the last one has printed. Changes are kept for so long as",
      "cluster.retention says, and from a named snapshot on; after that it says CHANGES_LOST."
    })
public final class WatchCommand implements Callable<Integer> {
  private static final Durations TIMES = new Durations(Duration.ofMillis(1), Duration.ofDays(1));
  private static final long STOP_SECONDS_MAX = 5;

  /** For picocli. */
  public WatchCommand() {}

  @Mixin private Connect connect = new Connect();

  @Parameters(paramLabel = "INDEX", description = "Index or table.")
  private String name = "";

  @Option(names = "--from", paramLabel = "KEY", description = "First key, included.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "KEY", description = "Last key, included.")
  private @Nullable String to;

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Keys that begin with this.")
  private @Nullable String prefix;

  @Option(
      names = "--after",
      paramLabel = "POSITION",
      description = "Begin after this position, as a watch or a feed has told it (now).")
  private @Nullable String after;

  @Option(
      names = "--since",
      paramLabel = "NAME",
      description = "Begin with what this named snapshot does not show.")
  private @Nullable String since;

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description = "Begin at this time, as 2026-11-28T12:00:00Z; needs cluster.retention.")
  private @Nullable Instant asOf;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "End after so many transactions, and those that were read with the last one.")
  private long limit = Long.MAX_VALUE;

  @Option(names = "--for", paramLabel = "TIME", description = "End after so long, as 30s or 10min.")
  private @Nullable String time;

  @Option(
      names = "--position-file",
      paramLabel = "FILE",
      description = {
        "Begin after the position in this file, where there is one, and keep the position there of"
            + " what was printed."
      })
  private @Nullable Path positionFile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "TEXT",
      description = "text or json (text).")
  private WatchFormat format = WatchFormat.TEXT;

  @Spec private CommandSpec spec = CommandSpec.create();

  private volatile boolean isStopped;

  @Override
  public Integer call() {
    check();
    long nanos = time == null ? Long.MAX_VALUE : nanos(time);
    PositionFile file = positionFile == null ? null : new PositionFile(positionFile);
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook = new Thread(() -> stop(ended), "canopy-watch-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try (RemoteCanopy db = connect.open();
        ChangeFeed<String, String> feed = open(db, options(file))) {
      Narrator narrator = Narrator.onStandardError();
      FeedWatch watch =
          new FeedWatch(
              feed,
              new ChangePrinter(spec.commandLine().getOut(), format),
              file,
              narrator,
              new FeedWatch.Terms(limit, nanos, () -> isStopped));
      return run(watch, narrator);
    } finally {
      ended.countDown();
      forget(hook);
    }
  }

  private int run(FeedWatch watch, Narrator narrator) {
    boolean isRead;
    try {
      isRead = watch.run();
    } catch (CanopyException e) {
      if (positionFile == null && e.code() != ErrorCode.CHANGES_LOST) {
        narrator.say(goOn(watch.position()));
      }
      throw e;
    }
    narrator.say(goOn(watch.position()));
    return isRead ? 0 : 1;
  }

  private void check() {
    require(limit >= 1, "--limit is 1 or more");
    require(
        Stream.of(after, since, asOf).filter(Objects::nonNull).count() <= 1,
        "--after, --since and --as-of are beginnings: give one");
    require(
        prefix == null || (from == null && to == null), "give either --prefix, or --from and --to");
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private long nanos(String text) {
    try {
      return TIMES.parse(text).toNanos();
    } catch (WrongValueException e) {
      throw new ParameterException(
          spec.commandLine(), "--for is a time of " + TIMES.range() + ", not '" + text + "'", e);
    }
  }

  /** The beginning and the range; the position of a file is later than any that was given. */
  private FeedOptions<String> options(@Nullable PositionFile file) {
    FeedPosition kept = file == null ? null : file.read().orElse(null);
    FeedOptions<String> begin;
    if (kept != null) {
      begin = FeedOptions.after(kept);
    } else if (after != null) {
      begin = FeedOptions.after(FeedPosition.parse(after));
    } else if (since != null) {
      begin = FeedOptions.since(since);
    } else {
      begin = asOf == null ? FeedOptions.fromNow() : FeedOptions.since(asOf);
    }
    return begin.in(range());
  }

  private Range<String> range() {
    if (prefix != null) {
      return Range.prefix(prefix);
    }
    if (from == null) {
      return to == null ? Range.all() : Range.atMost(to);
    }
    return to == null ? Range.atLeast(from) : Range.closed(from, to);
  }

  private ChangeFeed<String, String> open(RemoteCanopy db, FeedOptions<String> options) {
    TablePart.check(name);
    List<String> indexes = db.indexes();
    String rows = TableNames.rows(name);
    String stored = indexes.contains(rows) && !indexes.contains(name) ? rows : name;
    Reply.IndexOpened found = db.describe(stored);
    Index<String, String> index =
        db.existing(
            stored, TextCodec.of(found.keyCodec(), true), TextCodec.of(found.valueCodec(), false));
    return db.changes(index, options);
  }

  private String goOn(FeedPosition position) {
    if (positionFile != null) {
      return "the position is in " + positionFile + "; the same command goes on from there";
    }
    return "the position is " + position + "; --after with it goes on from there";
  }

  /** Ends the watch on a signal, and waits until it has. */
  private void stop(CountDownLatch ended) {
    isStopped = true;
    try {
      boolean isInTime = ended.await(STOP_SECONDS_MAX, TimeUnit.SECONDS);
      if (!isInTime) {
        Narrator.onStandardError().say("the watch does not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends: the hook runs, and waits for this one no more.
    }
  }
}
