package io.canopygrid.server.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import picocli.CommandLine;

/** Runs a command line inside the test; has its output and exit code. */
record CommandRun(int exitCode, String out, String err) {
  static CommandRun of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CanopyCommand.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    int exitCode = line.execute(args);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  /** The same against the server at an address. */
  static CommandRun at(String address, String... words) {
    String[] args = Arrays.copyOf(words, words.length + 2);
    args[words.length] = "-c";
    args[words.length + 1] = "canopy://" + address;
    return of(args);
  }
}
