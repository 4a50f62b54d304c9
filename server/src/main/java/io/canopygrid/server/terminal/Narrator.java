package io.canopygrid.server.terminal;

import java.io.PrintStream;

/** Says what a command is doing, step by step, on a stream that is not for results. Thread-safe. */
public final class Narrator {
  private final PrintStream out;
  private final boolean terminal;

  private Narrator(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * On standard error. The script {@code canopy} knows whether that is a terminal and says so in
   * the system property {@code canopy.terminal}; before Java 22 a program cannot find out by
   * itself.
   */
  public static Narrator onStandardError() {
    return new Narrator(System.err, Boolean.getBoolean("canopy.terminal"));
  }

  /** On a stream that is no terminal. */
  public static Narrator on(PrintStream out) {
    return new Narrator(out, false);
  }

  /** One line. */
  public void say(String line) {
    out.println(line);
    out.flush();
  }

  /**
   * A step that takes long, to be closed at its end.
   *
   * @param total how many there will be, or {@link Progress#UNKNOWN}
   */
  public Progress progress(String task, String unit, long total) {
    return Progress.of(out, terminal, task, unit, total);
  }
}
