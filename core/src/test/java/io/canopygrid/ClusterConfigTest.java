package io.canopygrid;

import static io.canopygrid.Coded.assertCoded;
import static io.canopygrid.Coded.nothing;
import static io.canopygrid.ErrorCode.CONFIG_INVALID;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.text.NearestName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster's configuration, in code and as a file. */
final class ClusterConfigTest {
  private static final ClusterConfig SHOP = ClusterConfig.of("shop");

  @Test
  void defaults() {
    assertThat(SHOP)
        .isEqualTo(
            new ClusterConfig(
                "shop",
                "127.0.0.1",
                7800,
                List.of(),
                2,
                256,
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofMillis(50),
                67_108_864,
                Optional.empty(),
                Balancing.DEFAULTS));
  }

  @Test
  void aStackFileOfOnesOwn() {
    ClusterConfig parsed =
        ClusterConfig.parse("canopy.json", "{\"name\": \"shop\", \"stack\": \"cloud.xml\"}");

    assertThat(parsed).isEqualTo(SHOP.stack(Path.of("cloud.xml")));
  }

  @Test
  void aFileHasTheSameNames() {
    ClusterConfig parsed =
        ClusterConfig.parse(
            "canopy.json",
            """
            {"name": "stock", "bindAddress": "vm1", "port": 7900,
             "members": ["vm1:7900", "vm2"], "owners": 3, "shards": 512,
             "joinTimeoutMillis": 5000, "failureTimeoutMillis": 2000, "lockTimeoutMillis": 20,
             "stateBytesPerSecond": 2000000,
             "balance": {"enabled": false, "subtreesPerNode": 4, "movedEntriesPerSecond": 500,
                         "placement": "near"}}
            """);
    assertThat(parsed)
        .isEqualTo(
            SHOP.name("stock")
                .bindAddress("vm1")
                .port(7900)
                .members("vm1:7900", "vm2")
                .owners(3)
                .shards(512)
                .joinTimeout(Duration.ofSeconds(5))
                .failureTimeout(Duration.ofSeconds(2))
                .lockTimeout(Duration.ofMillis(20))
                .stateBytesPerSecond(2_000_000)
                .balancing(
                    Balancing.DEFAULTS
                        .enabled(false)
                        .subtreesPerNode(4)
                        .movedEntriesPerSecond(500)
                        .placement(Placement.NEAR)));
    assertThat(ClusterConfig.parse("f", "{\"name\":\"shop\"}")).isEqualTo(SHOP);
  }

  @Test
  void valuesOutOfRange() {
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.of(""), "name=''");
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.of("a b"), "name='a b'");
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.of("x".repeat(65)), "1 to 64");
    assertCoded(CONFIG_INVALID, () -> SHOP.bindAddress("no host"), "bindAddress='no host'");
    assertCoded(CONFIG_INVALID, () -> SHOP.port(-1), "port=-1");
    assertCoded(CONFIG_INVALID, () -> SHOP.port(65_536), "from 0 to 65535");
    assertCoded(CONFIG_INVALID, () -> SHOP.owners(0), "owners=0");
    assertCoded(CONFIG_INVALID, () -> SHOP.owners(9), "owners=9");
    assertCoded(CONFIG_INVALID, () -> SHOP.shards(0), "shards=0");
    assertCoded(CONFIG_INVALID, () -> SHOP.shards(4097), "shards=4097");
    assertCoded(CONFIG_INVALID, () -> SHOP.joinTimeout(Duration.ofMillis(999)), "joinTimeout");
    assertCoded(
        CONFIG_INVALID,
        () -> SHOP.failureTimeout(Duration.ofSeconds(Long.MAX_VALUE)),
        "failureTimeout");
    assertCoded(CONFIG_INVALID, () -> SHOP.lockTimeout(Duration.ZERO), "lockTimeout=PT0S");
    assertCoded(
        CONFIG_INVALID, () -> SHOP.stateBytesPerSecond(1 << 19), "stateBytesPerSecond=524288");
    Balancing balance = Balancing.DEFAULTS;
    assertCoded(CONFIG_INVALID, () -> balance.subtreesPerNode(0), "subtreesPerNode=0");
    assertCoded(CONFIG_INVALID, () -> balance.minSubtreeEntries(1), "minSubtreeEntries=1");
    assertCoded(CONFIG_INVALID, () -> balance.movedEntriesPerSecond(9), "movedEntriesPerSecond=9");
    String far = "{\"name\": \"a\", \"balance\": {\"placement\": \"far\"}}";
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.parse("f", far), "\"even\" or \"near\"");
    String wrong = "{\"name\": \"a\", \"balance\": {\"enabeld\": true}}";
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.parse("f", wrong), "did you mean 'enabled'?");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> ClusterConfig.of(nothing()), "name");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> SHOP.joinTimeout(nothing()), "joinTimeout");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> SHOP.members("a", nothing()), "member");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> ClusterConfig.load(nothing()), "file");
  }

  @ParameterizedTest
  @CsvSource({
    "vm1, vm1, 7800",
    "vm1:1, vm1, 1",
    "10.0.0.1:65535, 10.0.0.1, 65535",
    "[::1]:7801, ::1, 7801",
    "[fe80::1%eth0], fe80::1%eth0, 7800",
    "fe80::1, fe80::1, 7800"
  })
  void membersAreHostsWithOrWithoutPort(String text, String host, int port) {
    assertThat(SHOP.members(text).members())
        .containsExactly(InetSocketAddress.createUnresolved(host, port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":7800",
        "vm1:",
        "vm1:0",
        "vm1:65536",
        "vm1:99999999999",
        "vm1:http",
        "vm 1",
        "vm1:7800:7801",
        "[::1",
        "::1]",
        "[]:7800",
        "[vm1:7800",
        "vm1,vm2"
      })
  void othersAreNoMembers(String text) {
    assertCoded(CONFIG_INVALID, () -> SHOP.members(text), "member='" + text + "'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'name': 's',\\n"
            + "  'prot': 1}             | 2:3 | unknown name 'prot', did you mean 'port'?",
        "{'name': 's', 'MEMBER': []}              | 1:15 | did you mean 'members'?",
        "{'name': 's', 'lockTimeout': 5}          | 1:15 | did you mean 'lockTimeoutMillis'?",
        "{'name': 's',\\n\\n 'port':  '7800'}     | 3:11 | 'port' must be a whole number",
        "{'name': 's', 'port': 78.5}              | 1:23 | 'port' must be a whole number",
        "{'name': 's', 'port': 99999999999}       | 1:23 | below 2^31",
        "{'name': 's', 'port': null}              | 1:23 | 'port' must be a whole number",
        "{'name': 7}                              | 1:10 | 'name' must be a text",
        "{'name': 's', 'members': 'vm1'}          | 1:26 | 'members' must be a list",
        "{'name': 's', 'members': ['vm1', 2]}     | 1:34 | 'members' must be a text",
        "{'name': 's', 'members': ['vm1:x']}      | 1:26 | member='vm1:x'",
        "{'name': 's', 'port': 65536}             | 1:23 | port must be from 0 to 65535",
        "{'name': 's', 'joinTimeoutMillis': 1}    | 1:36 | joinTimeout must be from 1000 ms",
        "{'name': 's', 'owners': {}}              | 1:25 | 'owners' must be a whole number",
        "{'name': 's', 'name': 't'}               | 1:21 | Duplicate field 'name'",
        "{'port': 1}                              | 1:11 | 'name' is missing",
        "{'name': 's'                             | 1:13 | end-of-input",
        "{'name': 's'} {}                         | 1:15 | nothing may follow",
        "[]                                       | 1:1 | an object",
        "nonsense                                 | 1:9 | Unrecognized token",
        "{'name': 's', 'port': 08}                | 1:24 | Leading zeroes"
      })
  void errorsSayWhere(String json, String place, String what) {
    String text = json.replace('\'', '"').replace("\\n", "\n");
    assertCoded(
        CONFIG_INVALID,
        () -> ClusterConfig.parse("canopy.json", text),
        "canopy.json:" + place + ": ",
        what);
  }

  @Test
  void anEmptyTextIsNoConfiguration() {
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.parse("canopy.json", ""), "an object");
  }

  @Test
  void filesAreLoaded(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("canopy.json");
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.load(file), "canopy.json: cannot be read");
    Files.writeString(file, "{\"name\": \"shop\", \"port\": 7900}");
    assertThat(ClusterConfig.load(file)).isEqualTo(SHOP.port(7900));
    Files.writeString(file, "{\"nmae\": \"shop\"}");
    assertCoded(
        CONFIG_INVALID, () -> ClusterConfig.load(file), "canopy.json:1:2: ", "did you mean 'name'");
    Files.write(file, new byte[] {(byte) 0xFF, (byte) 0xFE});
    assertCoded(CONFIG_INVALID, () -> ClusterConfig.load(file), "cannot be read");
  }

  @ParameterizedTest
  @CsvSource({
    "abc, abc, 0",
    "abc, acb, 1",
    "abc, ab, 1",
    "ab, abc, 1",
    "abc, axc, 1",
    "kitten, sitting, 3",
    "'', abc, 3",
    "abc, '', 3"
  })
  void editsAreCounted(String a, String b, int edits) {
    assertThat(NearestName.edits(a, b)).isEqualTo(edits);
  }
}
