package io.canopygrid.server.config;

import io.canopygrid.config.MemberList;
import io.canopygrid.config.Setting;
import io.canopygrid.config.Switch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The settings as options of a command. */
public final class SettingOptions {
  private SettingOptions() {}

  /** Adds all of them, in their sections. */
  public static void addTo(CommandSpec command) {
    command.usageMessage().abbreviateSynopsis(true).sortOptions(false);
    ServerSettings.SCHEMA
        .sections()
        .forEach((section, description) -> {
          ArgGroupSpec.Builder group =
              ArgGroupSpec.builder()
                  .exclusive(false)
                  .validate(false)
                  .heading("%n" + description + "%n");
          for (Setting<?> setting : ServerSettings.SCHEMA.inSection(section)) {
            if (!setting.option().isEmpty()) {
              group.addArg(option(setting));
            }
          }
          command.addArgGroup(group.build());
        });
  }

  private static OptionSpec option(Setting<?> setting) {
    OptionSpec.Builder option =
        OptionSpec.builder(setting.option())
            .paramLabel(label(setting.kind().what()))
            .description(
                (setting.description() + " (" + setting.defaultText() + ")").replace("%", "%%"));
    if (setting.kind() instanceof Switch) {
      return option.type(String.class).arity("0..1").fallbackValue("true").build();
    }
    if (setting.kind() instanceof MemberList) {
      return option.type(List.class).auxiliaryTypes(String.class).arity("1").build();
    }
    return option.type(String.class).arity("1").build();
  }

  /** The last word: {@code NUMBER}. */
  private static String label(String what) {
    return what.substring(what.lastIndexOf(' ') + 1).toUpperCase(Locale.ROOT);
  }

  /** The values given on the command line, by option. */
  public static Map<String, String> given(ParseResult line) {
    Map<String, String> given = new LinkedHashMap<>();
    for (Setting<?> setting : ServerSettings.SCHEMA.settings()) {
      String name = setting.option();
      if (!name.isEmpty() && line.hasMatchedOption(name)) {
        Object value = line.matchedOptionValue(name, (Object) "");
        given.put(
            name,
            value instanceof List<?> several
                ? String.join(",", several.stream().map(String::valueOf).toList())
                : String.valueOf(value));
      }
    }
    return given;
  }
}
