package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.Canopy;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VerifyDiskCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path temporary;

  private Path data;

  @BeforeEach
  void writeSome() {
    data = temporary.resolve("data");
    try (EmbeddedCanopy db = node()) {
      Index<Long, String> index = db.index("entries", Codec.int64(), Codec.string());
      for (long i = 0; i < 50; i++) {
        long key = i;
        db.run(tx -> tx.on(index).put(key, "entry " + key));
      }
    }
  }

  private EmbeddedCanopy node() {
    return EmbeddedCanopy.join(ClusterConfig.of("verified").port(0).shards(4).dataDirectory(data));
  }

  private CommandRun verify(String... more) {
    String[] words = {"verify", "disk", "--data-directory", data.toString()};
    String[] all = Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return CommandRun.of(all);
  }

  @Test
  void aSoundDiskIsSaidToBe() throws IOException {
    CommandRun run = verify();

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().findFirst().orElseThrow())
        .startsWith("data directory " + data + ": no problem was found; copies: 5, versions: ");
    assertThat(run.out().lines().skip(1).findFirst().orElseThrow())
        .startsWith("shard")
        .endsWith("prepared");

    JsonNode json = JSON.readTree(verify("-o", "json").out());
    assertThat(json.path("problemCount").asInt()).isZero();
    assertThat(json.path("versions").asInt()).isGreaterThanOrEqualTo(50);
    assertThat(json.path("copies")).hasSize(5);
    assertThat(json.path("copies").path(0).path("complete").asBoolean()).isTrue();
  }

  @Test
  void whatIsWrongIsSaidWithACode() throws IOException {
    Path label = data.resolve("CANOPY");
    byte[] bytes = Files.readAllBytes(label);
    bytes[bytes.length - 1] ^= 1;
    Files.write(label, bytes);

    CommandRun run = verify();

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out())
        .startsWith("CNPY-5002 DISK_UNUSABLE data directory " + data + ": problems: 1; ")
        .contains("  one of the two blocks of file CANOPY is damaged");
    assertThat(Files.readAllBytes(label)).isEqualTo(bytes);
  }

  @Test
  void aDirectoryInUseIsRefused() {
    try (Canopy running = node()) {
      CommandRun run = verify();

      assertThat(running.indexes()).isNotEmpty();
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains("CNPY-5001", data.toString(), "is in use by");
    }
  }

  @Test
  void whatIsNoDataDirectoryIsRefused() throws IOException {
    data = Files.createDirectory(temporary.resolve("empty"));
    CommandRun run = verify();
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("CNPY-5001", "has no data of a node");
    assertThat(data).isEmptyDirectory();

    assertThat(CommandRun.of("verify", "disk").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("verify").exitCode()).isEqualTo(2);
  }
}
