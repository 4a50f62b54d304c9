package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.config.Configuration;
import io.canopygrid.server.config.ServerConfig;
import io.canopygrid.server.endpoint.Endpoint;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.server.security.ScramAuthentication;
import io.canopygrid.server.security.Users;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code canopy diag} against a server whose clients must log in. */
final class DiagCommandTest {
  private static final List<String> SECRETS =
      List.of("p4ssw0rd", "adm1n-secret", "k3y-of-ada", "v4lue-of-ada");

  @TempDir private Path directory = Path.of("");
  private EmbeddedCanopy node = EmbeddedCanopy.start();
  private Endpoint endpoint = start();

  private Endpoint start() {
    Configuration settings =
        ServerConfig.load(
            null,
            Map.of("CANOPY_SECURITY_ADMIN_PASSWORD", "adm1n-secret", "CANOPY_CLUSTER_NAME", "shop"),
            Map.of());
    Users users = new Users(node.served());
    return Endpoint.start(
        node.served(),
        new Endpoint.Settings(
            "shop",
            "127.0.0.1",
            0,
            "",
            EndpointLimits.DEFAULTS,
            new ScramAuthentication(users),
            users,
            null,
            TransactionLog.Settings.DEFAULTS,
            true,
            null,
            settings.effective()));
  }

  @BeforeEach
  void fill() {
    Users users = new Users(node.served());
    for (String role : List.of("admin", "reader")) {
      users.put(
          new Request.PutUser(
              role,
              Credentials.of("p4ssw0rd".toCharArray()),
              List.of(new Request.Grant("", role))));
    }
    Index<String, String> names = node.index("names", Codec.string(), Codec.string());
    node.run(tx -> tx.on(names).put("k3y-of-ada", "v4lue-of-ada"));
  }

  @AfterEach
  void stop() {
    endpoint.close();
    node.close();
  }

  private CommandRun run(String user, Path file) {
    return CommandRun.of(
        "diag",
        "-c",
        "canopy://" + user + ":p4ssw0rd@" + endpoint.address(),
        "--file",
        file.toString());
  }

  @Test
  void anAdministratorGetsAllAndNoSecretAndNoData() throws IOException {
    Path file = directory.resolve("all.zip");

    CommandRun run = run("admin", file);

    assertThat(run.exitCode()).as(run.err()).isZero();
    Map<String, String> texts = texts(file);
    String server = "servers/" + endpoint.address().replace(':', '_') + "/";
    assertThat(texts.keySet())
        .contains("README.txt", "version.txt", "this-machine.json", "status.txt", "status.json")
        .contains(server + "config.json", server + "metrics.txt", server + "threads.txt")
        .contains(server + "jvm.json", server + "transactions.json", server + "ready.txt");
    assertThat(texts.get("status.txt")).startsWith("1 of 1 nodes").contains("names");
    assertThat(texts.get(server + "config.json")).contains("security.adminPassword", "(hidden)");
    assertThat(texts.get(server + "threads.txt")).contains("JvmFacts.threads");
    assertThat(texts.get(server + "metrics.txt")).contains("canopy_node_ready 1.0");
    assertThat(run.out())
        .startsWith(file + " has\n  ")
        .contains(server + "config.json", "no keys and values of indexes");
    for (String secret : SECRETS) {
      assertThat(texts.toString() + run.out() + run.err()).doesNotContain(secret);
    }
  }

  @Test
  void whatAReaderMayNotSeeIsSaidAndTheOthersAreThere() throws IOException {
    Path file = directory.resolve("some.zip");

    CommandRun run = run("reader", file);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(texts(file).keySet()).anyMatch(name -> name.endsWith("metrics.txt"));
    assertThat(texts(file).get("README.txt"))
        .contains("It could not get:", "config.json: HTTP 403 ", "log.txt: HTTP 403 ");
    assertThat(run.out()).contains("and has not", "config.json: HTTP 403 ");
  }

  @Test
  void withoutAServerTheBundleSaysWhy() throws IOException {
    Path file = directory.resolve("none.zip");

    CommandRun run = CommandRun.of("diag", "-c", "canopy://127.0.0.1:1", "--file", file.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(texts(file)).containsKeys("version.txt", "this-machine.json");
    assertThat(texts(file).get("README.txt"))
        .contains("status.json: CNPY-4002 NOT_CONNECTED", "no answer: ");
  }

  @Test
  void aFileThatIsThereStays() throws IOException {
    Path file = Files.writeString(directory.resolve("mine.zip"), "mine");

    CommandRun run = run("admin", file);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("CNPY-", "there is a file " + file + " already");
    assertThat(file).hasContent("mine");
  }

  private static Map<String, String> texts(Path file) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        try (InputStream in = zip.getInputStream(entry)) {
          texts.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return texts;
  }
}
