package io.canopygrid.server.terminal;

import java.io.PrintStream;

/** Tells people what a command does, step by step, on a stream that has no results. Thread-safe. */
public final class Narrator {
  private final PrintStream out;
  private final boolean terminal;

  private Narrator(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * A narrator on standard error. The script {@code canopy} sets the system property {@code
   * canopy.terminal} where that is a terminal, since a program cannot find out by itself before
   * Java 22.
   */
  public static Narrator onStandardError() {
    return new Narrator(System.err, Boolean.getBoolean("canopy.terminal"));
  }

  /** A narrator on a stream that is no terminal. */
  public static Narrator on(PrintStream out) {
    return new Narrator(out, false);
  }

  /** Prints a line. */
  public void say(String line) {
    out.println(Printable.lines(line));
    out.flush();
  }

  /**
   * The progress of a step that takes long; the caller closes it at the step's end.
   *
   * @param total how many units there will be, or {@link Progress#UNKNOWN}
   */
  public Progress progress(String task, String unit, long total) {
    return Progress.of(out, terminal, task, unit, total, false);
  }

  /** The same, which also shows the units in a second, and how long the rest takes. */
  public Progress ratedProgress(String task, String unit, long total) {
    return Progress.of(out, terminal, task, unit, total, true);
  }
}
