package io.canopygrid.server.cli;

import io.canopygrid.config.Configuration;
import io.canopygrid.server.config.ServerConfig;
import io.canopygrid.server.config.SettingOptions;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Where commands find the configuration of a server: a file, the environment and options. */
final class ConfigSources {
  private static final String FILE_VARIABLE = "CANOPY_CONFIG";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML or JSON file with settings (" + FILE_VARIABLE + ", or none).")
  private @Nullable Path file;

  /** Loads all of them, the options from a command line that has been parsed. */
  Configuration load(ParseResult line) {
    Map<String, String> environment = System.getenv();
    String named = environment.getOrDefault(FILE_VARIABLE, "");
    Path from = file == null && !named.isEmpty() ? Path.of(named) : file;
    return ServerConfig.load(from, environment, SettingOptions.given(line));
  }
}
