package io.canopygrid.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.ClusterConfig;
import io.canopygrid.config.Configuration;
import io.canopygrid.config.Durations;
import io.canopygrid.config.Problem;
import io.canopygrid.pem.CertificateMaker;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigurationTest {
  @TempDir Path directory = Path.of("");

  @Test
  void withoutAnythingItIsTheDefaults() {
    ServerConfig config = config(load(null, Map.of(), Map.of()));

    assertThat(config.cluster()).isEqualTo(ClusterConfig.of("canopy"));
    assertThat(config.limits()).isEqualTo(EndpointLimits.DEFAULTS);
    assertThat(config.logging().transactions()).isEqualTo(TransactionLog.Settings.DEFAULTS);
    assertThat(config.tls()).isEmpty();
    assertThat(config.clients().port()).isEmpty();
  }

  @Test
  void aFileSetsAll() throws IOException {
    Path file =
        file(
            "canopy.yaml",
            """
            # a comment
            cluster: {name: shop, port: 7801, members: ["a:1", b]}
            clients:
              port: 0
            limits:
              requestBytesMax: 1 MiB
              idleTimeout: 2min
            logging:
              format: json
              level: off
              levels:
                org.jgroups: debug
            tls:
            """);

    ServerConfig config = config(load(file, Map.of(), Map.of()));

    assertThat(config.cluster()).isEqualTo(ClusterConfig.of("shop").port(7801).members("a:1", "b"));
    assertThat(config.clients().port()).contains(0);
    assertThat(config.limits().requestBytesMax()).isEqualTo(1 << 20);
    assertThat(config.limits().idleMillis()).isEqualTo(120_000);
    assertThat(config.logging().format()).isEqualTo(LogFormat.JSON);
    assertThat(config.logging().level()).isEqualTo(LogLevel.OFF);
    assertThat(config.logging().levels()).isEqualTo(Map.of("org.jgroups", LogLevel.DEBUG));
  }

  @Test
  void jsonAndYamlSayTheSame() throws IOException {
    Path yaml = file("a.yaml", "cluster:\n  owners: 3\n  lockTimeout: 1s\n");
    Path json = file("a.json", "{\"cluster\": {\"owners\": 3, \"lockTimeout\": \"1s\"}}");

    assertThat(config(load(json, Map.of(), Map.of())))
        .isEqualTo(config(load(yaml, Map.of(), Map.of())));
  }

  @Test
  void anOptionWinsOverTheEnvironmentAndThatOverTheFile() throws IOException {
    Path file = file("a.yaml", "cluster:\n  name: f\n  port: 1\n  owners: 3\n");
    Map<String, String> environment =
        Map.of("CANOPY_CLUSTER_PORT", "2", "CANOPY_CLUSTER_OWNERS", "4", "CANOPY_TLS_KEY", "");
    Configuration configuration = load(file, environment, Map.of("--owners", "5"));

    assertThat(config(configuration).cluster()).isEqualTo(ClusterConfig.of("f").port(2).owners(5));
    assertThat(origin(configuration, "cluster.name")).isEqualTo(file + ":2:9");
    assertThat(origin(configuration, "cluster.port"))
        .isEqualTo("environment variable CANOPY_CLUSTER_PORT");
    assertThat(origin(configuration, "cluster.owners")).isEqualTo("option --owners");
    assertThat(origin(configuration, "cluster.shards")).isEqualTo("default");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cluster: {prot: 1} | 1:11: unknown name 'prot' in 'cluster', did you mean 'port'?",
        "clutser: {} | 1:1: unknown name 'clutser', did you mean 'cluster'?",
        "port: 3 | 1:1: unknown name 'port', did you mean 'cluster.port'?",
        "tls: {members: []} | 1:7: unknown name 'members' in 'tls', did you mean"
            + " 'cluster.members'?",
        "cluster: {port: 1, port: 2} | 1:20: 'port' is given twice, first in line 1",
        "cluster: {port: 65536} | 1:17: 'cluster.port' must be from 0 to 65535, not 65536",
        "cluster: {port: 99999999999999999999} | must be a whole number from 0 to 65535",
        "cluster: {port: '1'} | 1:17: 'cluster.port' must be a whole number without quotes",
        "cluster: {port: 1.5} | 'cluster.port' must be a whole number without quotes, not '1.5'",
        "cluster: {port: [1]} | 'cluster.port' must be a whole number without quotes, not a list",
        "cluster: {name: 7} | 'cluster.name' must be a text in quotes",
        "cluster: {name: 'two words'} | 'cluster.name' must be 1 to 64 letters",
        "cluster: {name: } | 'cluster.name' must be a text, not ''",
        "cluster: {members: a} | 'cluster.members' must be a list",
        "cluster: {members: ['a:x']} | 'cluster.members' must be a list of host:port",
        "cluster: {bindAddress: 'no.such.host.invalid'} | cannot be found",
        "cluster: 3 | 1:10: 'cluster' must be names and values",
        "cluster: *x | 'cluster' must be names and values",
        "cluster: {lockTimeout: 50} | must be a time in ms, s, min, h like 30s, not '50' without a"
            + " unit",
        "cluster: {lockTimeout: 5sec} | not '5sec' in 'sec'",
        "cluster: {lockTimeout: 5S} | did you mean '5s'?",
        "cluster: {lockTimeout: 2h} | must be from 1ms to 1min, not 2h",
        "cluster: {lockTimeout: -1s} | must be a time like 30s, not '-1s'",
        "limits: {transactionBytesMax: 64MB} | did you mean '64MiB'?",
        "limits: {transactionBytesMax: 64m} | did you mean '64MiB'?",
        "limits: {transactionBytesMax: 2GiB} | must be from 1KiB to 1GiB, not 2GiB",
        "limits: {transactionBytesMax: 999999999999999999GiB} | must be from 1KiB to 1GiB",
        "logging: {format: jsn} | must be one of text, json, not 'jsn', did you mean 'json'?",
        "logging: {levels: {a: loud}} | 'logging.levels' must be one of off, error",
        "logging: {levels: a} | 'logging.levels' must be names of loggers",
        "security: {openToAll: yes} | 'security.openToAll' must be true or false",
        "security: {openToAll: true, authenticate: true} | exclude each other",
        "traces: {endpoint: 'localhost:4318'} | must be an http or https URL, not 'localhost:4318'",
        "traces: {endpoint: 'http://u:p@host'} | must be an http or https URL",
        "traces: {endpoint: 'http://host:99999'} | must be a URL such as http://localhost:4318",
        "traces: {endpoint: 'http://host/%zz'} | must be a URL such as http://localhost:4318",
        "clients: {port: 7800} | 1:17: 'clients.port' is 7800, which this node opens as 'cluster.port'",
        "clients: {port: 7900} | 1:17: 'clients.port' is 7900, which this node opens as 'cluster.watchPort'",
        "clients: {port: 8000} | 1:17: 'clients.port' is 8000, which this node opens as 'cluster.exchangePort'",
        "tls: {certificate: c.pem} | 'tls.certificate' is given without 'tls.key' (--tls-key)",
        "tls: {key: k.pem} | 'tls.key' names a file that does not exist:",
        "security: {adminPasswordFile: none} | 1:31: 'security.adminPasswordFile' names a file that"
            + " does not",
        "cluster: {stack: '.'} | is a directory",
        "cluster: [ | 1:",
        "[] | 1:1: names and values are expected",
      })
  void whatIsWrongIsToldWithItsPlaceAndWhatWasMeant(String text, String problem)
      throws IOException {
    Path file = file("canopy.yaml", text);

    List<Problem> problems = load(file, Map.of(), Map.of()).problems();

    assertThat(problems).anySatisfy(p -> assertThat(p.toString()).contains(problem));
    assertThat(problems).allSatisfy(p -> assertThat(p.toString()).startsWith(file + ":1:"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"logging: {level: verbose}", "x: 1", "balance: {placement: anywhere}"})
  void nothingIsProposedThatIsFarFromWhatWasWritten(String text) throws IOException {
    assertThat(load(file("canopy.yaml", text), Map.of(), Map.of()).problems())
        .singleElement()
        .satisfies(p -> assertThat(p.toString()).doesNotContain("did you mean"));
  }

  @Test
  void portsThatAreAnyFreeOneDoNotOverlap() throws IOException {
    Path file = file("a.yaml", "cluster: {port: 0}\nclients: {port: 200}\n");

    assertThat(load(file, Map.of(), Map.of()).problems()).isEmpty();
  }

  @Test
  void everyMistakeIsToldAtOnce() throws IOException {
    Path file = file("canopy.yaml", "cluster:\n  prot: 1\n  owners: 9\nlimits:\n  workers: 0\n");

    assertThatThrownBy(() -> config(load(file, Map.of(), Map.of())))
        .hasMessageContaining("CNPY-5001")
        .hasMessageContaining(":2:3: ")
        .hasMessageContaining(":3:11: ")
        .hasMessageContaining(":5:12: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.json | {\"cluster\": {\"port\": 1,}} | a.json:1:",
        "a.json | nothing | a.json:1:",
        "a.json | `` | a.json: names and values are expected",
        "a.yaml | a: b: c | a.yaml:1:",
      })
  void whatCannotBeReadIsToldWithItsPlace(String name, String text, String place)
      throws IOException {
    assertThat(load(file(name, text), Map.of(), Map.of()).problems())
        .singleElement()
        .satisfies(p -> assertThat(p.toString()).contains(place));
  }

  @Test
  void aTabIsToldInOneLine() throws IOException {
    assertThat(load(file("a.yaml", "cluster:\n\tport: 1\n"), Map.of(), Map.of()).problems())
        .singleElement()
        .satisfies(p -> assertThat(p.toString()).contains("TAB").doesNotContain("\n"));
  }

  @Test
  void anEmptyFileIsTheDefaults() throws IOException {
    assertThat(load(file("a.yaml", "# nothing\n"), Map.of(), Map.of()).problems()).isEmpty();
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(load(directory.resolve("none.yaml"), Map.of(), Map.of()).problems())
        .singleElement()
        .satisfies(p -> assertThat(p.toString()).contains("none.yaml: cannot be read"));
  }

  @Test
  void variablesThatAreNearlyRightAreMistakesAndStrangersAreNot() {
    Map<String, String> environment =
        Map.of(
            "CANOPY_CLUSTER_PROT", "1",
            "CANOPY_CLUSTER_OWNERS", "many",
            "CANOPY_JAVA_OPTIONS", "-Xmx1g",
            "CANOPY_SERVICE_HOST", "10.0.0.1");

    assertThat(load(null, environment, Map.of()).problems())
        .extracting(Problem::toString)
        .containsExactly(
            "environment variable CANOPY_CLUSTER_OWNERS: 'cluster.owners' must be a whole number"
                + " from 1 to 8, not 'many'",
            "environment variable CANOPY_CLUSTER_PROT: is unknown, did you mean"
                + " 'CANOPY_CLUSTER_PORT'?");
  }

  @Test
  void filesAreLookedForWhereTheConfigurationIs() throws IOException {
    CertificateMaker.writeForServer(directory.resolve("certs"), List.of("localhost"), List.of());
    Path file = file("canopy.yaml", "tls:\n  certificate: certs/cert.pem\n  key: certs/key.pem\n");

    ServerConfig.Tls tls = config(load(file, Map.of(), Map.of())).tls().orElseThrow();

    assertThat(tls.certificate()).isEqualTo(directory.resolve("certs/cert.pem"));
  }

  @Test
  void whatIsNoCertificateIsRefusedWithItsPlace() throws IOException {
    file("cert.pem", "nonsense");
    file("key.pem", "nonsense");
    Path file = file("canopy.yaml", "tls:\n  certificate: cert.pem\n  key: key.pem\n");

    assertThat(load(file, Map.of(), Map.of()).problems())
        .singleElement()
        .satisfies(
            p -> assertThat(p.toString()).contains(":2:16: 'tls.certificate' cannot be used"));
  }

  @Test
  void aSecretIsNeverShown() throws IOException {
    Map<String, String> environment = Map.of("CANOPY_SECURITY_ADMIN_PASSWORD", "xyzzy7");
    Configuration configuration = load(null, environment, Map.of());

    assertThat(configuration.effective().toString()).contains("(hidden)").doesNotContain("xyzzy");
    assertThat(config(configuration).toString()).doesNotContain("xyzzy");
    assertThat(config(configuration).security().adminPassword()).contains("xyzzy7");
    Map<String, String> wrong = Map.of("CANOPY_SECURITY_ADMIN_PASSWORD", "xyzzy\n7");
    assertThat(load(null, wrong, Map.of()).problems().toString())
        .contains("security.adminPassword")
        .doesNotContain("xyzzy");
  }

  @ParameterizedTest
  @CsvSource({"0ms,0", "1ms,1", "90s,90000", "60s,60000", "2min,120000", "1h,3600000"})
  void timesAreWrittenWithTheGreatestUnitThatFits(String text, long millis) throws Exception {
    Durations times = new Durations(Duration.ZERO, Duration.ofHours(24));

    assertThat(times.parse(text)).isEqualTo(Duration.ofMillis(millis));
    assertThat(times.parse(times.text(Duration.ofMillis(millis))).toMillis()).isEqualTo(millis);
  }

  private static String origin(Configuration configuration, String setting) {
    return configuration.effective().stream()
        .filter(row -> row.setting().equals(setting))
        .findFirst()
        .orElseThrow()
        .origin();
  }

  private static Configuration load(
      @Nullable Path file, Map<String, String> environment, Map<String, String> options) {
    return ServerConfig.load(file, environment, options);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static ServerConfig config(Configuration configuration) {
    return ServerConfig.of(configuration.values());
  }
}
