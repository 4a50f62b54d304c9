package io.canopygrid.server.terminal;

import java.io.PrintStream;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;
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
  private static final DecimalFormat WHOLE =
      new DecimalFormat("0", DecimalFormatSymbols.getInstance(Locale.ROOT));

  private static final int BAR_COLUMNS = 78;
  private static final int BAR_UPDATE_MILLIS = 250;

  private final PrintStream out;
  private final String task;
  private final String unit;
  private long total;
  private final boolean rated;
  private final @Nullable ProgressBar bar;
  private long done;
  private long printed = -1;
  private final long beganNanos = System.nanoTime();
  private long lastLineNanos = beganNanos;

  private Progress(
      PrintStream out,
      String task,
      String unit,
      long total,
      boolean rated,
      @Nullable ProgressBar bar) {
    this.out = out;
    this.task = task;
    this.unit = unit;
    this.total = total;
    this.rated = rated;
    this.bar = bar;
  }

  /**
   * Begins.
   *
   * @param bars whether the stream is a terminal, where a line can be drawn over
   * @param unit what is counted, in the plural
   * @param total how many units there will be, or {@link #UNKNOWN}
   * @param rated whether to show the units in a second
   */
  static Progress of(
      PrintStream out, boolean bars, String task, String unit, long total, boolean rated) {
    return new Progress(
        out, task, unit, total, rated, bars ? bar(out, task, unit, total, rated) : null);
  }

  private static ProgressBar bar(
      PrintStream out, String task, String unit, long total, boolean rated) {
    ProgressBarBuilder bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setUnit(" " + unit, 1)
            .setInitialMax(total)
            .setUpdateIntervalMillis(BAR_UPDATE_MILLIS)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(out, BAR_COLUMNS));
    return (rated ? bar.showSpeed(WHOLE) : bar).build();
  }

  /** Sets the total, which was not known before. */
  public void expects(long units) {
    total = units;
    if (bar != null) {
      bar.maxHint(units);
    }
  }

  /** Shows how much is done by now. */
  public void reached(long count) {
    done = count;
    if (bar != null) {
      bar.stepTo(count);
    } else if (System.nanoTime() - lastLineNanos >= PLAIN_LINE_EVERY_NANOS) {
      printLine(rated ? rate() : "");
    }
  }

  /** The units in a second so far, and the time that the rest takes at this rate. */
  private String rate() {
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    double perSecond = done / seconds;
    if (total == UNKNOWN || done == 0 || done > total) {
      return String.format(Locale.ROOT, ", %.0f/s", perSecond);
    }
    return String.format(
        Locale.ROOT, ", %.0f/s, %.0f s left", perSecond, (total - done) / perSecond);
  }

  /** Ends the bar or prints the last line. */
  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    } else if (printed != done) {
      printLine("");
    }
  }

  private void printLine(String rate) {
    printed = done;
    lastLineNanos = System.nanoTime();
    String all = total == UNKNOWN ? "" : " of " + total;
    out.println("  " + task + ": " + done + all + " " + unit + rate);
    out.flush();
  }
}
