package io.canopygrid.gmu.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Durability;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node finds the only engine on its class path. This module's class path has none. */
final class StorageEnginesTest {
  @TempDir Path temporary;

  @Test
  void theOnlyEngineIsFound() throws IOException {
    assertThat(find(NamedEngines.First.class.getName()).name()).isEqualTo("First");
  }

  @Test
  void withoutOneItIsSaidWhichModuleToAdd() {
    assertNoEngine(StorageEngines::find)
        .hasMessageContaining("no engine is on the class path")
        .hasMessageContaining("io.canopygrid:canopy-storage-rocksdb");
  }

  @Test
  void twoAreNamed() {
    assertNoEngine(
            () -> find(NamedEngines.Second.class.getName(), NamedEngines.First.class.getName()))
        .hasMessageContaining("more than one engine")
        .hasMessageMatching(".*First \\(.*First\\), Second \\(.*Second\\)");
  }

  @Test
  void oneThatIsOnTheClassPathTwiceIsOne() throws IOException {
    String first = NamedEngines.First.class.getName();
    assertThat(find(first, first).name()).isEqualTo("First");
  }

  @Test
  void oneThatDoesNotLoadIsNamed() {
    assertNoEngine(() -> find("no.Such"))
        .hasMessageContaining("cannot be loaded")
        .hasMessageContaining("no.Such");
  }

  @Test
  void aDirectoryIsNotMadeWithoutAnEngine() {
    Path data = temporary.resolve("data");
    assertNoEngine(() -> OpenDisk.open(data, 4, Durability.ASYNC));
    assertNoEngine(() -> OpenDisk.check(data, 4, Durability.ASYNC));
    assertThat(data).doesNotExist();
  }

  @Test
  void whereTheEngineLacksItsLibrariesTheDirectoryIsFreeAgain() {
    Path data = temporary.resolve("data");
    assertNoEngine(() -> OpenDisk.open(new NamedEngines.Incomplete(), data, 4, Durability.ASYNC))
        .hasMessageContaining("org/example/Library");
    try (DataDirectory free = DataDirectory.open(data, 4, Durability.ASYNC)) {
      assertThat(free.label().shards()).isEqualTo(4);
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertNoEngine(
      ThrowingCallable use) {
    return assertThatThrownBy(use)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_ENGINE));
  }

  /** The engine that is found where each of some modules brings one. */
  private StorageEngine find(String... engines) throws IOException {
    List<URL> modules = new ArrayList<>();
    for (String engine : engines) {
      Path module = Files.createTempDirectory(temporary, "module");
      Path services = Files.createDirectories(module.resolve("META-INF").resolve("services"));
      Files.writeString(services.resolve(StorageEngine.class.getName()), engine + "\n");
      modules.add(module.toUri().toURL());
    }
    ClassLoader own = StorageEnginesTest.class.getClassLoader();
    try (URLClassLoader loader = new URLClassLoader(modules.toArray(URL[]::new), own)) {
      return StorageEngines.find(loader);
    }
  }
}
