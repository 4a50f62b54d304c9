package io.canopygrid.config;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.text.NearestName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a file, the environment and options give, the later winning over the earlier,
 * and their problems. All sources are checked, also values that another one overrides. Immutable
 * once loaded.
 */
public final class Configuration {
  private static final String PREFIX = "CANOPY_";

  /** Names of other programs' variables begin so too; only what is this near is a mistake. */
  private static final int TYPING_ERRORS_MAX = 2;

  private final List<Problem> problems = new ArrayList<>();
  private final SettingValues values = new SettingValues();

  private final SettingSchema schema;

  private Configuration(SettingSchema schema) {
    this.schema = schema;
  }

  /** Checks what must hold between settings, and of the files that they name. */
  @FunctionalInterface
  public interface Checks {
    /** The problems of the values; empty: there are none. */
    List<Problem> of(SettingValues values);
  }

  /**
   * Loads and checks.
   *
   * @param schema what can be set
   * @param file the file; null: none
   * @param environment all environment variables
   * @param options by name what the command line says: {@code --port}, {@code 7800}
   * @param checks run when all values are known
   */
  public static Configuration load(
      SettingSchema schema,
      @Nullable Path file,
      Map<String, String> environment,
      Map<String, String> options,
      Checks checks) {
    Configuration configuration = new Configuration(schema);
    if (file != null) {
      ConfigFile read = new ConfigFile(file.toString(), configuration.problems);
      configuration.take(read.read(file), file.toAbsolutePath().getParent());
    }
    configuration.readEnvironment(environment);
    configuration.readOptions(options);
    configuration.problems.addAll(checks.of(configuration.values));
    return configuration;
  }

  /**
   * Loads and checks a text that stands in no file.
   *
   * @param source what to call it in problems; it is JSON where this ends in {@code .json}
   */
  public static Configuration parse(
      SettingSchema schema, String source, String text, Checks checks) {
    Configuration configuration = new Configuration(schema);
    configuration.take(new ConfigFile(source, configuration.problems).parse(text), null);
    configuration.problems.addAll(checks.of(configuration.values));
    return configuration;
  }

  /** The problems; empty: there are none. */
  public List<Problem> problems() {
    return List.copyOf(problems);
  }

  /**
   * The value of each setting.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} with all that is wrong, one a line
   */
  public SettingValues values() {
    if (!problems.isEmpty()) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          problems.stream().map(Problem::toString).collect(Collectors.joining("\n  ")));
    }
    return values;
  }

  /**
   * A setting as it is in effect.
   *
   * @param setting its name
   * @param value its value; empty: none
   * @param origin where that is from: {@code default}, {@code canopy.yaml:3:5}, …
   */
  public record Effective(String setting, String value, String origin) {}

  /** All settings. Secrets are not shown. */
  public List<Effective> effective() {
    return schema.settings().stream()
        .map(setting ->
            new Effective(
                setting.path(),
                setting.secret() && values.isGiven(setting) ? "(hidden)" : values.text(setting),
                values.at(setting).toString()))
        .toList();
  }

  private void take(FileNode.@Nullable Mapping root, @Nullable Path directory) {
    if (root == null) {
      return;
    }
    root.fields()
        .forEach((name, field) -> {
          if (!schema.sections().containsKey(name)) {
            unknown(field.nameAt(), name, "", schema.sections().keySet());
          } else if (field.value() instanceof FileNode.Mapping section) {
            readSection(directory, name, section);
          } else if (!isNothing(field.value())) {
            problems.add(Problem.at(field.value().at(), "'" + name + "' must be names and values"));
          }
        });
  }

  /** A section all of whose lines are comments. */
  private static boolean isNothing(FileNode node) {
    return node instanceof FileNode.Scalar scalar
        && scalar.type() == FileNode.Type.OTHER
        && List.of("", "~", "null").contains(scalar.text());
  }

  private void readSection(@Nullable Path directory, String section, FileNode.Mapping mapping) {
    Map<String, Setting<?>> known = new LinkedHashMap<>();
    schema.inSection(section).forEach(setting -> known.put(setting.name(), setting));
    mapping
        .fields()
        .forEach((name, field) -> {
          Setting<?> setting = known.get(name);
          if (setting == null) {
            unknown(field.nameAt(), name, section, known.keySet());
          } else {
            take(setting, field.value(), directory);
          }
        });
  }

  private void unknown(Place at, String name, String section, Iterable<String> here) {
    String inside = section.isEmpty() ? "" : " in '" + section + "'";
    for (Setting<?> setting : schema.settings()) {
      if (setting.name().equalsIgnoreCase(name) && !setting.section().equals(section)) {
        problems.add(new Problem(at, "unknown name '" + name + "'" + inside, setting.path()));
        return;
      }
    }
    List<String> candidates = new ArrayList<>();
    here.forEach(candidates::add);
    problems.add(
        new Problem(at, "unknown name '" + name + "'" + inside, NearestName.of(name, candidates)));
  }

  private <T> void take(Setting<T> setting, FileNode node, @Nullable Path directory) {
    try {
      put(setting, setting.kind().read(node), node.at(), directory);
    } catch (WrongValueException e) {
      wrong(setting, node.at(), e);
    }
  }

  private <T> void take(Setting<T> setting, String text, Place at) {
    try {
      put(setting, setting.kind().parse(text), at, null);
    } catch (WrongValueException e) {
      wrong(setting, at, e);
    }
  }

  /** Files that a file names are looked for from its own directory. */
  @SuppressWarnings("unchecked") // a setting of paths gets a path
  private <T> void put(Setting<T> setting, T value, Place at, @Nullable Path directory) {
    T resolved =
        directory != null && value instanceof Path path ? (T) directory.resolve(path) : value;
    values.put(setting, resolved, at);
  }

  private void wrong(Setting<?> setting, Place at, WrongValueException e) {
    String wanted = setting.secret() ? setting.kind().range() : e.wanted();
    problems.add(new Problem(at, "'" + setting.path() + "' must be " + wanted, e.nearest()));
  }

  private void readEnvironment(Map<String, String> environment) {
    for (Setting<?> setting : schema.settings()) {
      String text = environment.getOrDefault(setting.variable(), "");
      if (!text.isEmpty()) {
        take(setting, text, Place.environment(setting.variable()));
      }
    }
    for (String name : environment.keySet().stream().sorted().toList()) {
      if (name.startsWith(PREFIX) && !schema.variables().contains(name)) {
        String nearest = NearestName.of(name, schema.variables());
        if (NearestName.edits(name, nearest) <= TYPING_ERRORS_MAX) {
          problems.add(new Problem(Place.environment(name), "is unknown", nearest));
        }
      }
    }
  }

  private void readOptions(Map<String, String> options) {
    for (Setting<?> setting : schema.settings()) {
      String text = setting.option().isEmpty() ? null : options.get(setting.option());
      if (text != null) {
        take(setting, text, Place.option(setting.option()));
      }
    }
  }
}
