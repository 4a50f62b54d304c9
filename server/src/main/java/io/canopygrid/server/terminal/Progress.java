package io.canopygrid.server.terminal;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far a long step has come: by a bar on a terminal, else by a plain line every few
 * seconds and one at its end. Confined to one thread.
 */
public final class Progress implements AutoCloseable {
  /** A total that is not known. */
  public static final long UNKNOWN = -1;

  private static final long PLAIN_LINE_EVERY_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int BAR_COLUMNS = 78;
  private static final int BAR_UPDATE_MILLIS = 250;

  private final PrintStream out;
  private final String task;
  private final String unit;
  private final long total;
  private final @Nullable ProgressBar bar;
  private long done;
  private long printed = -1;
  private long lastLineNanos = System.nanoTime();

  private Progress(
      PrintStream out, String task, String unit, long total, @Nullable ProgressBar bar) {
    this.out = out;
    this.task = task;
    this.unit = unit;
    this.total = total;
    this.bar = bar;
  }

  /**
   * Begins.
   *
   * @param bars whether the stream is a terminal, where a line can be drawn over
   * @param unit what is counted, in the plural
   * @param total how many units there will be, or {@link #UNKNOWN}
   */
  static Progress of(PrintStream out, boolean bars, String task, String unit, long total) {
    return new Progress(out, task, unit, total, bars ? bar(out, task, unit, total) : null);
  }

  private static ProgressBar bar(PrintStream out, String task, String unit, long total) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setUnit(" " + unit, 1)
        .setInitialMax(total)
        .setUpdateIntervalMillis(BAR_UPDATE_MILLIS)
        .setStyle(ProgressBarStyle.ASCII)
        .setConsumer(new ConsoleProgressBarConsumer(out, BAR_COLUMNS))
        .build();
  }

  /** Shows how much is done by now. */
  public void reached(long count) {
    done = count;
    if (bar != null) {
      bar.stepTo(count);
    } else if (System.nanoTime() - lastLineNanos >= PLAIN_LINE_EVERY_NANOS) {
      printLine();
    }
  }

  /** Ends the bar or prints the last line. */
  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    } else if (printed != done) {
      printLine();
    }
  }

  private void printLine() {
    printed = done;
    lastLineNanos = System.nanoTime();
    String all = total == UNKNOWN ? "" : " of " + total;
    out.println("  " + task + ": " + done + all + " " + unit);
    out.flush();
  }
}
