package io.canopygrid.roundtrip;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code canopy bench roundtrip partner}: the process that answers, until its standard input ends.
 */
@Command(name = "partner", hidden = true, description = "Answers the questions.")
final class PartnerCommand implements Callable<Integer> {
  @Option(
      names = "--ports",
      required = true,
      split = ",",
      description = "Where it listens for each kind of question.")
  private List<Integer> ports = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Partner partner = new Partner(Ports.of(ports))) {
      out.println("READY " + partner.ports());
      out.flush();
      while (System.in.read() >= 0) {
        // The text of the input is of no interest, only its end.
      }
    }
    return 0;
  }
}
