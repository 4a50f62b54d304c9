package io.canopygrid.study.cli;

import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.study.scale.Calibration;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code canopy study calibrate}. */
@Command(
    name = "calibrate",
    description = {
      "Measure on this machine what 'canopy study scale' needs to know: how long messages,"
          + " operations and the network take, in nanoseconds.",
      "Prints a file for 'canopy study scale --costs'. Takes about a minute of a quiet machine."
    })
final class CalibrateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Properties costs = Calibration.run(Narrator.onStandardError());
    PrintWriter out = spec.commandLine().getOut();
    for (String name : new TreeSet<>(costs.stringPropertyNames())) {
      out.println(name + "=" + costs.getProperty(name));
    }
    out.flush();
    return 0;
  }
}
