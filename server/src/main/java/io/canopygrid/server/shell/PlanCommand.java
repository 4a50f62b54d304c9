package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Range;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.wire.client.Reply;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy explain}: tells what an operation would cost, and why. */
@Command(
    name = "explain",
    description = "Say what an operation would ask of whom, and why, without doing it.",
    footer = {
      "",
      "Numbers that are not exact are the least: a scan asks again for each page.",
      "Examples:",
      "  canopy explain get names 17",
      "  canopy explain scan names 10 500",
      "  canopy explain function accounts 1 2    # one that reads and writes these, at the first",
      "  canopy explain get names 17 --at 127.0.0.1:11445   # seen from the node of that server"
    })
public final class PlanCommand implements Callable<Integer> {
  /** For picocli. */
  public PlanCommand() {}

  /** The operations that can be explained. */
  enum Operation {
    /** A look-up. */
    GET,
    /** A blind write. */
    PUT,
    /** A cursor over a range. */
    SCAN,
    /** A cursor over a range in reverse. */
    REVERSE,
    /** A count of a range. */
    COUNT,
    /** A registered function. */
    FUNCTION
  }

  @Mixin private Connect connect = new Connect();

  @Parameters(
      index = "0",
      paramLabel = "OPERATION",
      description = "get, put, scan, reverse, count or function.")
  private Operation operation = Operation.GET;

  @Parameters(index = "1", paramLabel = "INDEX", description = "The index.")
  private String name = "";

  @Parameters(
      index = "2..*",
      paramLabel = "KEY",
      description = "The key; of a range the first and the last; of a function its keys.")
  private List<String> keys = List.of();

  @Option(
      names = "--at",
      paramLabel = "SERVER",
      description = "As its node would do it (as a client does it).")
  private @Nullable String at;

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (RemoteCanopy db = connect.open()) {
      Reply.IndexOpened index = db.describe(name);
      EntryCodec<String, String> codec =
          new EntryCodec<>(
              name, TextCodec.of(index.keyCodec(), true), TextCodec.of(index.valueCodec(), false));
      Reply.Routes routes = db.routes(index.index());
      if (at != null && !routes.addresses().contains(at)) {
        throw new CanopyException(
            ErrorCode.INVALID_ARGUMENT,
            "no part of the index is at "
                + at
                + ", but at "
                + String.join(", ", routes.addresses()));
      }
      print(
          ways(new AccessPlan(routes, at == null ? "" : at), codec),
          spec.commandLine().getOut(),
          output.format());
    }
    return 0;
  }

  private List<AccessPlan.Way> ways(AccessPlan plan, EntryCodec<String, String> codec) {
    return switch (operation) {
      case GET -> List.of(plan.get(key(codec)));
      case PUT -> List.of(plan.put(key(codec)));
      case SCAN -> List.of(plan.scan(range(keys, codec), false));
      case REVERSE -> List.of(plan.scan(range(keys, codec), true));
      case COUNT -> List.of(plan.count(range(keys, codec)));
      case FUNCTION -> {
        key(codec);
        yield plan.function(keys.stream().map(codec::encodeKey).toList());
      }
    };
  }

  private byte[] key(EntryCodec<String, String> codec) {
    if (keys.isEmpty() || (operation != Operation.FUNCTION && keys.size() > 1)) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "give a key; a function may have several");
    }
    return codec.encodeKey(keys.get(0));
  }

  /**
   * The range of up to two typed keys: none is the whole index, one is the first key, two are both
   * ends.
   */
  static KeyRange range(List<String> keys, EntryCodec<String, String> codec) {
    if (keys.size() > 2) {
      throw new CanopyException(ErrorCode.INVALID_ARGUMENT, "a range has a first and a last key");
    }
    if (keys.size() < 2) {
      return keys.isEmpty() ? KeyRange.ALL : codec.encodeRange(Range.atLeast(keys.get(0)));
    }
    if (Arrays.compareUnsigned(codec.encodeKey(keys.get(0)), codec.encodeKey(keys.get(1))) > 0) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "the first key is above the last one: '" + keys.get(0) + "', '" + keys.get(1) + "'");
    }
    return codec.encodeRange(Range.closed(keys.get(0), keys.get(1)));
  }

  /** Prints each way as a row. */
  static void print(List<AccessPlan.Way> ways, PrintWriter out, OutputFormat output) {
    Rows rows =
        new Rows(out, output, "ships", "to", "remote_requests", "of_that_server", "exact", "why");
    ways.forEach(way ->
        rows.add(way.shipped(), way.at(), way.requests(), way.further(), way.exact(), way.why()));
    rows.end();
  }
}
