package io.canopygrid.server.top;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.shell.Connect;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code canopy top}: shows what a cluster does now. */
@Command(
    name = "top",
    description = {
      "Show each second what a cluster does: its state, each node's transactions, latency, heap,"
          + " data and shards, and the indexes that are used most. q or Ctrl-C ends it.",
      "Without a terminal, and with --once, it looks twice, a second apart, and prints one table."
    },
    footer = {
      "",
      "Commits and aborts are of transactions that clients began at a server; p50 and p99 are of",
      "all of its commits since it started. Columns that have no room are left out. A terminal gets",
      "no colours where NO_COLOR is set.",
      "Example: canopy top -c canopy://vm1,vm2 --user ada --password"
    })
public final class TopCommand implements Callable<Integer> {
  private static final int PLAIN_COLUMNS = 200;

  /** For picocli. */
  public TopCommand() {}

  @Mixin private Connect connect = new Connect();

  @Option(names = "--once", description = "Print one table and end.")
  private boolean once;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (RemoteCanopy db = connect.open()) {
      TopSampler sampler = new TopSampler(db, System::nanoTime);
      if (once) {
        print(sampler);
      } else {
        show(sampler);
      }
    }
    return 0;
  }

  private void print(TopSampler sampler) {
    TopSample before = sampler.take();
    try {
      TimeUnit.SECONDS.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted between two looks", e);
    }
    PrintWriter out = spec.commandLine().getOut();
    TopView view = new TopView(sampler.take(), before);
    view.verdictLines(PLAIN_COLUMNS).forEach(out::println);
    view.lines(PLAIN_COLUMNS).forEach(out::println);
    out.flush();
  }

  private void show(TopSampler sampler) {
    try (Terminal terminal = terminal()) {
      if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
        print(sampler);
      } else {
        new TopScreen(terminal, sampler::take, isColoured()).run();
      }
    } catch (IOException e) {
      throw new CanopyException(
          ErrorCode.INTERNAL_ERROR, "the terminal cannot be used: " + e.getMessage(), e);
    }
  }

  /** This process's terminal; a dumb one where input or output is something else. */
  private static Terminal terminal() throws IOException {
    return TerminalBuilder.builder()
        .system(true)
        .systemOutput(TerminalBuilder.SystemOutput.SysOut)
        .dumb(true)
        .build();
  }

  /** Whether colours are wanted, as https://no-color.org has it. */
  private static boolean isColoured() {
    return System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
  }
}
