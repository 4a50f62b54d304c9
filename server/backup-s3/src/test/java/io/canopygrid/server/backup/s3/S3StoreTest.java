package io.canopygrid.server.backup.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.CanopyException;
import io.canopygrid.server.backup.store.BlobStore;
import io.canopygrid.server.backup.store.BlobStores;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store against a real server of S3, in a process of its own. */
@NullUnmarked // the server is there while a test runs
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class S3StoreTest {
  private static MotoServer server;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    assumeTrue(MotoServer.isInstalled(), "there is no moto: .ci/run installs it");
    System.setProperty("aws.accessKeyId", "somebody");
    System.setProperty("aws.secretAccessKey", "anything");
    server = MotoServer.start();
    server.createBucket("shop");
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
  }

  @Test
  void keepsBlobs() throws IOException {
    try (BlobStore store = BlobStores.open(server.location("shop/a/prefix/"));
        BlobStore other = BlobStores.open(server.location("shop/a"))) {
      assertThat(store.describe()).isEqualTo("s3://shop/a/prefix");
      assertThat(store.folders()).isEmpty();
      assertThat(store.list("one")).isEmpty();
      assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.get("one/x"));
      byte[] large = new byte[5 << 20];
      large[12_345] = 1;
      store.put("one/data/x", large);
      store.put("one/data/x", new byte[0]);
      store.put("one/data/y", large);
      assertThat(store.get("one/data/x")).isEmpty();
      assertThat(store.get("one/data/y")).isEqualTo(large);
      assertThat(store.putIfAbsent("two/plan", new byte[] {1})).isTrue();
      assertThat(store.putIfAbsent("two/plan", new byte[] {2})).isFalse();
      assertThat(store.get("two/plan")).containsExactly(1);
      assertThat(store.folders()).containsExactly("one", "two");
      assertThat(store.list("one")).containsExactly("one/data/x", "one/data/y");
      assertThat(other.folders()).containsExactly("prefix");
      store.delete("two/plan");
      store.delete("two/plan");
      assertThat(store.folders()).containsExactly("one");
    }
  }

  @Test
  void listsMoreThanAPage() throws IOException {
    try (BlobStore store = BlobStores.open(server.location("shop"))) {
      List<String> names = new ArrayList<>();
      IntStream.range(0, 1_100).forEach(i -> names.add(String.format(Locale.ROOT, "many/%05d", i)));
      for (String name : names) {
        store.put(name, new byte[] {7});
      }
      assertThat(store.list("many")).isEqualTo(names);
    }
  }

  @Test
  void anErrorOfTheServerIsOne() {
    try (BlobStore store = BlobStores.open(server.location("nobody-has-this"))) {
      assertThatThrownBy(() -> store.put("a/b", new byte[1]))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("bucket");
      assertThatThrownBy(store::folders).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3:///prefix",
        "s3://key:secret@shop/prefix",
        "s3://shop/a?endpoint=ftp://x",
        "s3://shop/a?secret=x",
        "s3://shop/a#b"
      })
  void aWrongPlaceIsRefused(String location) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> BlobStores.open(location))
        .withMessageContaining("CNPY-3008");
  }
}
