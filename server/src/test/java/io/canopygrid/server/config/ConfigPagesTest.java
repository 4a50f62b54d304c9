package io.canopygrid.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Balancing;
import io.canopygrid.config.ClusterSettings;
import io.canopygrid.config.ConfigDocument;
import io.canopygrid.config.Configuration;
import io.canopygrid.config.Setting;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings, the records, the schema, the example and the documentation agree. */
final class ConfigPagesTest {
  private static final Path PAGE = Path.of("../docs/reference/configuration.md");

  @TempDir Path directory = Path.of("");

  @Test
  void theSchemaIsThatOfTheSettings() throws IOException {
    assertThat(ConfigDocument.schema(ServerSettings.SCHEMA))
        .as("canopy config schema > canopy.schema.json")
        .isEqualTo(resource("canopy.schema.json"));
    for (Setting<?> setting : ServerSettings.SCHEMA.settings()) {
      assertThat(resource("canopy.schema.json"))
          .contains("\"" + setting.name() + "\" : {", setting.variable());
    }
  }

  @Test
  void theExampleIsThatOfTheSettings() throws IOException {
    assertThat(ConfigDocument.example(ServerSettings.SCHEMA))
        .as("canopy config example > canopy.yaml")
        .isEqualTo(resource("canopy.yaml"));
  }

  @Test
  void theExampleWithItsDefaultsTakenInChangesNothing() throws IOException {
    String all = resource("canopy.yaml").replaceAll("(?m)^( +)# ([A-Za-z]+: [^#\\n].*)$", "$1$2");
    Path file = Files.writeString(directory.resolve("all.yaml"), all);

    Configuration configuration = ServerConfig.load(file, Map.of(), Map.of());

    assertThat(ServerConfig.of(configuration.values()))
        .isEqualTo(ServerConfig.of(ServerConfig.load(null, Map.of(), Map.of()).values()));
    long given =
        configuration.effective().stream().filter(row -> !row.origin().equals("default")).count();
    assertThat(given)
        .isEqualTo(
            ServerSettings.SCHEMA.settings().stream().filter(s -> s.byDefault() != null).count());
  }

  @Test
  void thePageHasARowForEachSetting() throws IOException {
    List<String> rows =
        Files.readString(PAGE).lines().filter(line -> line.startsWith("| `")).toList();

    assertThat(rows)
        .isEqualTo(ServerSettings.SCHEMA.settings().stream().map(ConfigPagesTest::row).toList());
  }

  private static String row(Setting<?> setting) {
    String unit = setting.kind().unit();
    return "| `%s` | %s | %s | %s | %s | %s |"
        .formatted(
            setting.path(),
            setting.kind().what() + (unit.isEmpty() ? "" : " in " + unit),
            setting.kind().range(),
            setting.byDefault() == null ? setting.otherwise() : "`" + setting.defaultText() + "`",
            setting.option().isEmpty() ? "" : "`" + setting.option() + "`",
            setting.description());
  }

  @Test
  void everyComponentOfTheRecordsIsASettingAndTheOtherWayRound() {
    Set<String> paths = new LinkedHashSet<>();
    for (RecordComponent section : ServerConfig.class.getRecordComponents()) {
      Class<?> type = section.getName().equals("tls") ? ServerConfig.Tls.class : section.getType();
      add(paths, section.getName(), type);
    }

    assertThat(paths)
        .containsExactlyInAnyOrderElementsOf(
            ServerSettings.SCHEMA.settings().stream().map(Setting::path).toList());
  }

  /** Times are Millis in records and Timeout in settings, which have a unit. */
  private static void add(Set<String> paths, String section, Class<?> type) {
    Map<String, String> named =
        Map.ofEntries(
            Map.entry("cluster.nodeName", "node.name"),
            Map.entry("cluster.zone", "node.zone"),
            Map.entry("cluster.dataDirectory", "data.directory"),
            Map.entry("cluster.durability", "data.durability"),
            Map.entry("cluster.dataReserve", "data.reserve"),
            Map.entry("cluster.memoryMax", "data.memoryMax"),
            Map.entry("cluster.diskTimeout", "data.diskTimeout"),
            Map.entry("cluster.rejoinGrace", "data.rejoinGrace"),
            Map.entry("logging.slowMillis", "logging.slowTransactions"),
            Map.entry("logging.aborts", "logging.abortedTransactions"),
            Map.entry("logging.linesPerMinuteMax", "logging.transactionLinesPerMinuteMax"));
    for (RecordComponent component : type.getRecordComponents()) {
      String path = section + "." + component.getName();
      if (component.getType() == Balancing.class) {
        add(paths, "balance", component.getType());
      } else if (component.getType() == TransactionLog.Settings.class) {
        add(paths, section, component.getType());
      } else {
        paths.add(named.getOrDefault(path, path.replaceAll("Millis$", "Timeout")));
      }
    }
  }

  @Test
  void everyOptionAndVariableIsThereOnce() {
    assertThat(ServerSettings.SCHEMA.variables()).hasSameSizeAs(ServerSettings.SCHEMA.settings());
    List<String> options =
        ServerSettings.SCHEMA.settings().stream()
            .map(Setting::option)
            .filter(option -> !option.isEmpty())
            .toList();
    assertThat(options).doesNotHaveDuplicates();
    assertThat(ServerSettings.SCHEMA.sections().keySet())
        .containsExactlyElementsOf(
            ServerSettings.SCHEMA.settings().stream().map(Setting::section).distinct().toList());
  }

  @Test
  void theRecordsTakeBothEndsOfEveryRange() {
    for (Setting<?> setting : ServerSettings.SCHEMA.settings()) {
      String range = setting.kind().range();
      // A reserve must be less than the disk has: ClusterConfigTest tries both ends of it.
      if (setting.option().isEmpty()
          || !range.matches("\\S+ to \\S+")
          || setting.equals(ClusterSettings.DATA_RESERVE)) {
        continue;
      }
      for (String end : range.split(" to ", 2)) {
        Map<String, String> options = new HashMap<>(Map.of(setting.option(), end));
        if (setting.equals(ClusterSettings.MEMORY_MAX)) {
          options.put(ClusterSettings.DATA_DIRECTORY.option(), "data");
        }
        Configuration configuration = ServerConfig.load(null, Map.of(), options);
        assertThat(ServerConfig.of(configuration.values()))
            .as("%s=%s", setting.path(), end)
            .isNotNull();
      }
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ServerConfig.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
