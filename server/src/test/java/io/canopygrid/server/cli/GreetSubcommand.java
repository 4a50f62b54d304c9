package io.canopygrid.server.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command as another module would add it. */
public final class GreetSubcommand implements Subcommand {
  @Override
  public Object command() {
    return new Greet();
  }

  @Command(name = "greet", description = "Say hello.")
  static final class Greet implements Runnable {
    @Option(names = "--fail")
    private String fail = "";

    @Override
    public void run() {
      switch (fail) {
        case "coded" -> throw new CanopyException(ErrorCode.PORT_IN_USE, "port 7800 is taken");
        case "bug" -> throw new IllegalStateException("a bug");
        default -> {
          return;
        }
      }
    }
  }
}
