package io.canopygrid.server.cli;

import io.canopygrid.server.logging.Logs;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import picocli.CommandLine;

/** The program {@code canopy}. */
public final class Main {
  /** The character that stands for bytes that the charset of the locale does not have. */
  private static final String LOST = "\uFFFD";

  private Main() {}

  /**
   * Runs one command and ends the JVM: with exit code 0 on success, 1 if the command failed or its
   * output could not be written, 2 if it was not understood.
   */
  public static void main(String[] args) {
    // Libraries, too, write and read numbers by the locale, and some scripts have other digits.
    Locale.setDefault(Locale.ROOT);
    FileOutputStream standardOutput = new FileOutputStream(FileDescriptor.out);
    FileOutputStream standardError = new FileOutputStream(FileDescriptor.err);
    PrintStream err = new PrintStream(standardError, true, StandardCharsets.UTF_8);
    WatchedOutput out = new WatchedOutput(standardOutput);
    System.setErr(err);
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    Logs.begin();
    System.exit(run(args, out, err));
  }

  private static int run(String[] args, WatchedOutput output, PrintStream err) {
    for (int i = 0; i < args.length; i++) {
      if (args[i].contains(LOST)) {
        err.println(
            "canopy: argument "
                + (i + 1)
                + " is no text in the charset of the locale, "
                + System.getProperty("sun.jnu.encoding", "")
                + ": set LC_ALL to one of UTF-8, as C.UTF-8");
        return CommandLine.ExitCode.USAGE;
      }
    }
    PrintWriter out = new PrintWriter(new OutputStreamWriter(output, StandardCharsets.UTF_8));
    CommandLine line = CanopyCommand.commandLine();
    line.setOut(out);
    line.setErr(new PrintWriter(new OutputStreamWriter(err, StandardCharsets.UTF_8), true));
    int code = line.execute(args);
    out.flush();
    System.out.flush();
    IOException failure = output.failure();
    if (failure == null) {
      return code;
    }
    err.println("canopy: the output cannot be written: " + failure.getMessage());
    return code == 0 ? CommandLine.ExitCode.SOFTWARE : code;
  }
}
