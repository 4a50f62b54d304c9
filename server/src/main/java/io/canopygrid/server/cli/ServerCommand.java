package io.canopygrid.server.cli;

import io.canopygrid.config.Configuration;
import io.canopygrid.server.config.ServerConfig;
import io.canopygrid.server.logging.Logs;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code canopy server}: one node, until it is asked to stop. */
@Command(
    name = "server",
    description = {
      "Start one node of a cluster and run it until SIGTERM or Ctrl-C, when it leaves in order.",
      "As soon as it is a member it prints READY, its cluster, its address, that for clients, its",
      "name, its grid, since when that is, and founded or joined: a cluster that was founded is new",
      "and empty.",
      "Each setting can be in a file, an environment variable and an option; the option wins."
    },
    footer = {
      "",
      "Exit code: 0 after a stop in order, 1 on failure or with data left behind, 2 for a wrong option or configuration,",
      "4 where the node has stopped by itself and is to be started again.",
      "",
      "Example, three nodes on one machine:",
      "  canopy server --port 7801 &",
      "  canopy server --port 7802 --join 127.0.0.1:7801 &",
      "  canopy server --port 7803 --join 127.0.0.1:7801,127.0.0.1:7802"
    })
final class ServerCommand implements Callable<Integer> {
  @Mixin private ConfigSources sources = new ConfigSources();

  @Option(
      names = "--attached",
      description =
          "Stop when standard input ends too, as it does when the process that started this one is"
              + " gone.")
  private boolean attached;

  @Option(
      names = "--abandon",
      description =
          "When asked to stop, leave at once, also where data is lost with this node: for clusters"
              + " whose data nobody needs.")
  private boolean abandon;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    Configuration configuration = sources.load(spec.commandLine().getParseResult());
    Logs.apply(ServerConfig.of(configuration.values()).logging());
    return new NodeLifecycle(spec.commandLine().getOut(), abandon).run(configuration, attached);
  }
}
