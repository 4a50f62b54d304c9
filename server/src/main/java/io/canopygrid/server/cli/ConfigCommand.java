package io.canopygrid.server.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.config.ConfigDocument;
import io.canopygrid.config.Configuration;
import io.canopygrid.config.Problem;
import io.canopygrid.server.config.ServerConfig;
import io.canopygrid.server.terminal.OutputOption;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy config}: checks, shows and explains a server's configuration. */
@Command(
    name = "config",
    description = "Check, show and explain the configuration of a server.",
    footer = {"", "Example: canopy config example > canopy.yaml; canopy config check canopy.yaml"})
final class ConfigCommand {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Command(
      name = "check",
      description = {
        "Check a file, and the files that it names, without starting anything.",
        "Exit code: 0 if a server would take it, 2 if not."
      })
  int check(
      @Parameters(paramLabel = "FILE", description = "The YAML or JSON file.") Path file,
      @Mixin OutputOption output) {
    List<Problem> problems = ServerConfig.load(file, Map.of(), Map.of()).problems();
    PrintWriter out = spec.commandLine().getOut();
    if (output.isJson()) {
      printJson(out, problems);
    } else if (problems.isEmpty()) {
      out.println(file + ": is right");
    } else {
      problems.forEach(problem -> out.println(ErrorCode.CONFIG_INVALID.id() + " " + problem));
    }
    out.flush();
    return problems.isEmpty() ? 0 : 2;
  }

  private static void printJson(PrintWriter out, List<Problem> problems) {
    ArrayNode list = JSON.createArrayNode();
    for (Problem problem : problems) {
      ObjectNode node = list.addObject();
      node.put("code", ErrorCode.CONFIG_INVALID.id());
      node.put("source", problem.at().source());
      node.put("line", problem.at().line());
      node.put("column", problem.at().column());
      node.put("problem", problem.text());
      node.put("nearest", problem.nearest());
    }
    out.println(text(JSON.createObjectNode().set("problems", list)));
  }

  private static String text(Object node) {
    try {
      return JSON.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new CanopyException(ErrorCode.INTERNAL_ERROR, "the result cannot be written", e);
    }
  }

  /** {@code canopy config show}, a class of its own for the options of all settings. */
  @Command(
      name = "show",
      description =
          "Show all settings as a server with these options would have them, and where each comes"
              + " from. Secrets are hidden.")
  static final class Show implements java.util.concurrent.Callable<Integer> {
    @Mixin private ConfigSources sources = new ConfigSources();

    @Mixin private OutputOption output = new OutputOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      Configuration configuration = sources.load(spec.commandLine().getParseResult());
      configuration.values();
      PrintWriter out = spec.commandLine().getOut();
      if (output.isJson()) {
        ObjectNode settings = JSON.createObjectNode();
        for (Configuration.Effective row : configuration.effective()) {
          settings.putObject(row.setting()).put("value", row.value()).put("from", row.origin());
        }
        out.println(text(settings));
      } else {
        for (Configuration.Effective row : configuration.effective()) {
          String value = row.value().isEmpty() ? "-" : row.value();
          out.printf(Locale.ROOT, "%-36s  %-30s  %s%n", row.setting(), value, row.origin());
        }
      }
      out.flush();
      return 0;
    }
  }

  @Command(name = "schema", description = "Print the JSON Schema of a configuration file.")
  int schema() {
    spec.commandLine().getOut().print(ConfigDocument.schema(ServerConfig.schema()));
    spec.commandLine().getOut().flush();
    return 0;
  }

  @Command(name = "example", description = "Print a YAML file with all settings at their defaults.")
  int example() {
    spec.commandLine().getOut().print(ConfigDocument.example(ServerConfig.schema()));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
