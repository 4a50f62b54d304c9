package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.canopygrid.pem.CertificateMaker;
import io.canopygrid.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server takes the settings of the examples that operators are given. */
final class ExamplesTest {
  private static final Path EXAMPLES = Path.of("../docs/operate/examples");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void theFilesThatTheyNameAreThere() throws IOException {
    CertificateMaker.writeForCluster(directory.resolve("cluster.pem"), 1);
    Files.writeString(directory.resolve("admin"), "a-password\n");
  }

  @Test
  void theSettingsThatCloudInitWritesAreRight() throws IOException {
    Map<String, String> files = new HashMap<>();
    for (JsonNode file : example("cloud-init.yaml").get("write_files")) {
      files.put(file.get("path").asText(), file.get("content").asText());
    }

    assertThat(files)
        .containsOnlyKeys(
            "/root/canopy/canopy.yaml",
            "/root/canopy/canopy.env",
            "/root/canopy/cluster.pem",
            "/root/canopy/admin");
    assertIsTaken(files.getOrDefault("/root/canopy/canopy.yaml", ""));
  }

  /** The template, filled with the inventory as Ansible does it. */
  @Test
  void theSettingsThatAnsibleWritesAreRight() throws IOException {
    JsonNode machines = example("ansible/inventory.yaml").get("canopy");
    Map<String, String> values = new HashMap<>();
    values.put("ansible_managed", "written by Ansible");
    values.put("inventory_hostname", "vm1");
    values.put("canopy_address", machines.at("/hosts/vm1/canopy_address").asText());
    values.put("hostvars[host].canopy_address", values.get("canopy_address"));
    machines
        .get("vars")
        .properties()
        .forEach(entry -> values.put(entry.getKey(), entry.getValue().asText()));
    String settings =
        Files.readString(EXAMPLES.resolve("ansible/canopy.yaml.j2")).replaceAll("\\{% .* %}\n", "");
    for (Map.Entry<String, String> value : values.entrySet()) {
      settings = settings.replace("{{ " + value.getKey() + " }}", value.getValue());
    }

    assertThat(settings).contains("name: vm1", "\"10.0.0.1:7800\"").doesNotContain("{{", "{%");
    assertIsTaken(settings);
  }

  @Test
  void theEnvironmentOfTheContainersIsRight() throws IOException {
    JsonNode compose = example("compose.yaml");
    JsonNode services = compose.get("services");

    assertThat(services).hasSize(3);
    services
        .properties()
        .forEach(service -> {
          Map<String, String> environment = new HashMap<>();
          putAll(environment, compose.get("x-settings"));
          putAll(environment, service.getValue().get("environment"));
          environment.remove("<<");
          // Its own name leads to its address, in the container; what is mounted there is here.
          for (String own : List.of("CANOPY_CLUSTER_BIND_ADDRESS", "CANOPY_CLIENTS_BIND_ADDRESS")) {
            assertThat(environment.put(own, "127.0.0.1"))
                .isEqualTo(service.getKey())
                .isEqualTo(service.getValue().get("hostname").asText());
          }
          environment.replaceAll(
              (name, value) -> value.replace("/run/secrets", directory.toString()));
          environment.put("CANOPY_DATA_DIRECTORY", directory.resolve("data").toString());

          assertThat(environment.keySet())
              .filteredOn(name -> !name.equals("JDK_JAVA_OPTIONS"))
              .isSubsetOf(ServerConfig.schema().variables());
          assertThat(ServerConfig.load(null, environment, Map.of()).problems())
              .as(service.getKey())
              .isEmpty();
        });
  }

  private static void putAll(Map<String, String> environment, JsonNode settings) {
    settings
        .properties()
        .forEach(setting -> environment.put(setting.getKey(), setting.getValue().asText()));
  }

  private void assertIsTaken(String settings) throws IOException {
    Path file = directory.resolve("canopy.yaml");
    Files.writeString(
        file, settings.replace("/var/lib/canopy", directory.resolve("data").toString()));

    CommandRun check = CommandRun.of("config", "check", file.toString());

    assertThat(check.out()).isEqualTo(file + ": is right" + System.lineSeparator());
  }

  private static JsonNode example(String name) throws IOException {
    return YAML.readTree(EXAMPLES.resolve(name).toFile());
  }
}
