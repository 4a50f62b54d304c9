package io.canopygrid.config;

import static io.canopygrid.Coded.assertCoded;
import static io.canopygrid.Coded.nothing;
import static io.canopygrid.ErrorCode.CONFIG_INVALID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Balancing;
import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Durability;
import io.canopygrid.ErrorCode;
import io.canopygrid.HotEntryMode;
import io.canopygrid.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An embedded node's configuration as a file has the names and units of a server's. */
final class ClusterConfigFileTest {
  private static final ClusterConfig SHOP = ClusterConfig.of("shop");

  private static final ClusterConfig STOCK =
      SHOP.name("stock")
          .bindAddress("127.0.0.1")
          .port(7900)
          .members("vm1:7900", "vm2")
          .owners(3)
          .shards(512)
          .joinTimeout(Duration.ofSeconds(5))
          .failureTimeout(Duration.ofSeconds(2))
          .lockTimeout(Duration.ofMillis(20))
          .leaveTimeout(Duration.ofMinutes(1))
          .stateBytesPerSecond(2 << 20)
          .balancing(
              Balancing.DEFAULTS
                  .enabled(false)
                  .subtreesPerNode(4)
                  .movedEntriesPerSecond(500)
                  .placement(Placement.NEAR)
                  .hotEntries(HotEntryMode.AUTO));

  private static void assertWrong(String source, String text, String... parts) {
    assertThatThrownBy(() -> ClusterConfigFile.parse(source, text))
        .isInstanceOfSatisfying(
            CanopyException.class, e -> assertThat(e.code()).isEqualTo(CONFIG_INVALID))
        .hasMessageContainingAll(parts);
  }

  @Test
  void yamlHasTheNamesAndUnitsOfAServer() {
    assertThat(
            ClusterConfigFile.parse(
                "canopy.yaml",
                """
                cluster:
                  name: stock
                  bindAddress: 127.0.0.1
                  port: 7900
                  members: ["vm1:7900", "vm2"]
                  owners: 3
                  shards: 512
                  joinTimeout: 5s
                  failureTimeout: 2000ms
                  lockTimeout: 20ms
                  leaveTimeout: 1min
                  stateBytesPerSecond: 2MiB
                balance:
                  enabled: false
                  subtreesPerNode: 4
                  movedEntriesPerSecond: 500
                  placement: near
                  hotEntries: auto
                """))
        .isEqualTo(STOCK);
  }

  @Test
  void jsonHasTheSame() {
    assertThat(
            ClusterConfigFile.parse(
                "canopy.json",
                """
                {"cluster": {"name": "stock", "bindAddress": "127.0.0.1", "port": 7900,
                  "members": ["vm1:7900", "vm2"], "owners": 3, "shards": 512,
                  "joinTimeout": "5s", "failureTimeout": "2s", "lockTimeout": "20ms",
                  "leaveTimeout": "1min", "stateBytesPerSecond": "2MiB"},
                 "balance": {"enabled": false, "subtreesPerNode": 4, "movedEntriesPerSecond": 500,
                  "placement": "near", "hotEntries": "auto"}}
                """))
        .isEqualTo(STOCK);
  }

  @Test
  void whatIsLeftOutIsAsEverywhere() {
    assertThat(ClusterConfigFile.parse("f.json", "{\"cluster\": {\"name\": \"shop\"}}"))
        .isEqualTo(SHOP);
  }

  @Test
  void whereOtherMachinesReachItANodeHasAnIdentity(@TempDir Path folder) throws IOException {
    assertWrong(
        "f.yaml",
        "cluster: {name: shop, bindAddress: 0.0.0.0}",
        "f.yaml:1:36: 'cluster.bindAddress' is an address that other machines reach",
        "--cluster-identity FILE",
        "--trust-network");
    assertThat(
            ClusterConfigFile.parse(
                "f.yaml", "cluster: {name: shop, bindAddress: 0.0.0.0, trustNetwork: true}"))
        .isEqualTo(SHOP.bindAddress("0.0.0.0").trustNetwork(true));
    Path file = folder.resolve("canopy.yaml");
    Files.writeString(
        file, "cluster: {name: shop, bindAddress: 0.0.0.0, identity: a.pem, trust: b.pem}");
    assertThatThrownBy(() -> ClusterConfigFile.load(file))
        .hasMessageContaining("'cluster.identity' names a file that does not exist")
        .hasMessageContaining("'cluster.trust' names a file that does not exist");
    Path identity = Files.writeString(folder.resolve("a.pem"), "");
    Path trust = Files.writeString(folder.resolve("b.pem"), "");
    assertThat(ClusterConfigFile.load(file))
        .isEqualTo(SHOP.bindAddress("0.0.0.0").identity(identity).trust(trust));
    assertWrong(
        "f.yaml",
        "cluster: {name: shop, trust: b.pem}",
        "'cluster.trust' is given without 'cluster.identity' (--cluster-identity)");
  }

  @Test
  void theNameMustBeGiven() {
    assertWrong("f.yaml", "", "f.yaml: 'cluster.name' is missing");
    assertWrong("f.json", "{\"cluster\": {\"port\": 7900}}", "f.json: 'cluster.name' is missing");
  }

  @Test
  void nothingIsNoFileAndNoText() {
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> ClusterConfigFile.load(nothing()), "file");
    assertCoded(
        ErrorCode.NULL_NOT_ALLOWED, () -> ClusterConfigFile.parse("f.json", nothing()), "null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'cluster': {\\n"
            + "  'prot': 1}}            | 2:3 | unknown name 'prot' in 'cluster', did you mean"
            + " 'port'?",
        "{'clutser': {}}                          | 1:2 | did you mean 'cluster'?",
        "{'lockTimeout': '5ms'}                   | 1:2 | did you mean 'cluster.lockTimeout'?",
        "{'cluster': {'lockTimeoutMillis': 5}}    | 1:14 | did you mean 'lockTimeout'?",
        "{'cluster': {'lockTimeout': 5}}          | 1:29 | not '5' without a unit",
        "{'cluster': {'port': '7800x'}}           | 1:22 | whole number",
        "{'cluster': {'port': 65536}}             | 1:22 | 0 to 65535",
        "{'cluster': {'members': 'vm1'}}          | 1:25 | a list",
        "{'cluster': {'members': ['vm1:x']}}      | 1:25 | 'vm1:x'",
        "{'cluster': {'joinTimeout': '1ms'}}      | 1:29 | 1s to 10min",
        "{'cluster': {'name': 's', 'name': 't'}}  | 1:27 | given twice",
        "{'balance': {'placement': 'far'}}        | 1:27 | even, near",
        "{'data': {'durability': 'fsync'}}        | 1:25 | without 'data.directory'",
        "{'data': {'durability': 'async'}}        | 1:25 | remove this setting",
        "{'data': {'reserve': '1GiB'}}            | 1:22 | without 'data.directory'",
        "{'data': {'directory': 'd', 'reserve': '9TiB'}} | 1:40 | a size",
        "{'data': {'directory': 'd', 'reserve': '9000GiB'}} | 1:40 | 0B to 1024GiB",
        "{'cluster': {'owners': 1}, 'data': {'directory': 'd'}} | 1:24 | must be 2 or more with",
        "{'data': {'directory': ''}}              | 1:24 | a directory's name, not nothing",
        "{'data': {'directory': 7}}               | 1:24 | a text in quotes",
        "{'data': {'directory': 'd', 'durability': 'sync'}} | 1:43 | async, fsync, not 'sync'",
        "{'data': {'directory': 'd', 'durability': null}} | 1:43 | async, fsync",
        "{'data': {'durabilty': 'fsync'}}         | 1:11 | did you mean 'durability'?",
        "{'cluster': {'durability': 'fsync'}}     | 1:14 | did you mean 'data.durability'?",
        "{'cluster': []}                          | 1:13 | must be names and values",
        "{'limits': {}}                           | 1:2 | unknown name 'limits'",
        "{'cluster': {'name': 's'}                | 1: | end-of-input",
        "{} {}                                    | 1:4 | nothing may follow",
        "[]                                       | 1:1 | names and values are expected",
        "nonsense                                 | 1:9 | Unrecognized token"
      })
  void errorsSayWhere(String json, String place, String what) {
    assertWrong(
        "canopy.json",
        json.replace('\'', '"').replace("\\n", "\n"),
        "canopy.json:" + place,
        what.replace("`", ""));
  }

  @Test
  void allMistakesAreToldAtOnce() {
    assertWrong(
        "canopy.yaml",
        "cluster:\n  prot: 1\nbalance:\n  placement: far\n",
        "canopy.yaml:2:3",
        "canopy.yaml:4:14");
  }

  @Test
  void filesAreLoaded(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("canopy.json");
    assertThatThrownBy(() -> ClusterConfigFile.load(file))
        .hasMessageContaining("canopy.json: cannot be read: there is no such file");
    Files.writeString(file, "{\"cluster\": {\"name\": \"shop\", \"port\": 7900}}");
    assertThat(ClusterConfigFile.load(file)).isEqualTo(SHOP.port(7900));
    Files.write(file, new byte[] {(byte) 0xFF, (byte) 0xFE});
    assertThatThrownBy(() -> ClusterConfigFile.load(file))
        .hasMessageContaining("cannot be read: it is not UTF-8");
  }

  @Test
  void dataStandsBesideTheFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("canopy.yaml");
    ClusterConfig onDisk = SHOP.dataDirectory(folder.resolve("data"));
    Files.writeString(file, "cluster: {name: shop}\ndata: {directory: data}\n");
    assertThat(ClusterConfigFile.load(file)).isEqualTo(onDisk);
    Files.writeString(file, "cluster: {name: shop}\ndata: {directory: data, durability: FSYNC}\n");
    assertThat(ClusterConfigFile.load(file)).isEqualTo(onDisk.durability(Durability.FSYNC));
    Files.writeString(file, "cluster: {name: shop}\ndata: {directory: data, reserve: 3MiB}\n");
    assertThat(ClusterConfigFile.load(file)).isEqualTo(onDisk.dataReserve(3 << 20));
    assertThat(folder.resolve("data")).doesNotExist();
    Path elsewhere = folder.resolve("elsewhere").toAbsolutePath();
    Files.writeString(file, "cluster: {name: shop}\ndata: {directory: '" + elsewhere + "'}\n");
    assertThat(ClusterConfigFile.load(file)).isEqualTo(SHOP.dataDirectory(elsewhere));
  }

  /** In Turkish the small letter of I has no dot. */
  @Test
  void wordsAreTheSameInEachLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("tr-TR"));
    try {
      String text = "cluster: {name: shop}\ndata: {directory: /data, durability: ASYNC}\n";
      assertThat(ClusterConfigFile.parse("f.yaml", text).durability()).contains(Durability.ASYNC);
      assertThat(ClusterSettings.DURABILITY.kind().text(Durability.ASYNC)).isEqualTo("async");
      assertThat(ClusterSettings.DATA_DIRECTORY.variable()).isEqualTo("CANOPY_DATA_DIRECTORY");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aStackIsLookedForBesideTheFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("canopy.yaml");
    Files.writeString(file, "cluster:\n  name: shop\n  stack: cloud.xml\n");
    assertThatThrownBy(() -> ClusterConfigFile.load(file))
        .hasMessageContaining("canopy.yaml:3:10: 'cluster.stack' names a file that does not exist");
    Path stack = Files.writeString(folder.resolve("cloud.xml"), "<config/>");
    assertThat(ClusterConfigFile.load(file)).isEqualTo(SHOP.stack(stack));
  }
}
