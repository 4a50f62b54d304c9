package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Durability;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.infinispan.GridSettings;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The configuration of a cluster as a grid's settings, and the codes of failures. */
final class ClusterJoinTest {
  private static final ClusterConfig SHOP = ClusterConfig.of("shop");

  @Test
  void withoutADirectoryDataIsInMemory() {
    assertThat(ClusterJoin.grid(SHOP).dataDirectory()).isNull();
  }

  @Test
  void theDirectoryAndItsDurabilityReachTheGrid() {
    ClusterConfig onDisk = SHOP.dataDirectory(Path.of("data"));

    GridSettings async = ClusterJoin.grid(onDisk);
    GridSettings fsync = ClusterJoin.grid(onDisk.durability(Durability.FSYNC));

    assertThat(async.dataDirectory()).isEqualTo(Path.of("data"));
    assertThat(async.durability()).isEqualTo(Durability.ASYNC);
    assertThat(fsync.dataDirectory()).isEqualTo(Path.of("data"));
    assertThat(fsync.durability()).isEqualTo(Durability.FSYNC);
    assertThat(async.diskReserve()).isNull();
    assertThat(ClusterJoin.grid(onDisk.dataReserve(7)).diskReserve()).isEqualTo(7);
  }

  @Test
  void anIdentityForAnInfinispanOfTheCallersIsRefused() throws IOException {
    try (DefaultCacheManager caches =
        new DefaultCacheManager(new GlobalConfigurationBuilder().build(), false)) {
      assertThatThrownBy(() -> EmbeddedCanopy.on(caches, SHOP.identity(Path.of("cluster.pem"))))
          .isInstanceOfSatisfying(
              CanopyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
          .hasMessageContaining("has a network of its own");
    }
  }

  @Test
  void anIdentityThatCannotBeUsedIsNamed(@TempDir Path temporary) throws IOException {
    Path file = Files.writeString(temporary.resolve("cluster.pem"), "");
    assertThat(ClusterJoin.identityProblem(file, null)).contains("has no CERTIFICATE in it");
    assertThatThrownBy(() -> EmbeddedCanopy.join(SHOP.identity(file)))
        .isInstanceOfSatisfying(
            CanopyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
        .hasMessageContaining("identity cannot be used: " + file);
  }

  @Test
  void aReserveIsLessThanTheDiskHas(@TempDir Path temporary) {
    Path below = temporary.resolve("not/there/yet");
    assertThat(ClusterJoin.reserveProblem(below, 1)).isNull();
    assertThat(ClusterJoin.reserveProblem(below, Long.MAX_VALUE))
        .contains(below.toString())
        .contains("is more than the disk");
  }

  /** This module's class path has no engine, as that of an application that lacks it. */
  @Test
  void aDirectoryWithoutAnEngineIsAProblem(@TempDir Path temporary) {
    assertThat(ClusterJoin.dataProblem(temporary.resolve("data"), 4, null))
        .contains("add io.canopygrid:canopy-storage-rocksdb");
    assertThat(temporary).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "IN_USE, CONFIG_INVALID",
    "NOT_ACCESSIBLE, CONFIG_INVALID",
    "FOREIGN, CONFIG_INVALID",
    "OTHER_FORMAT, CONFIG_INVALID",
    "NO_ENGINE, CONFIG_INVALID",
    "DAMAGED, DISK_UNUSABLE",
    "FULL, DISK_UNUSABLE",
    "FAILED, DISK_UNUSABLE"
  })
  void whatSettingsCanCorrectIsAWrongSetting(Reason reason, ErrorCode code) {
    StorageException failure = new StorageException(reason, "data directory d: do this", null);

    CanopyException coded = ClusterJoin.coded(failure);

    assertThat(coded.code()).isEqualTo(code);
    assertThat(coded).hasMessageContaining("data directory d: do this").hasCause(failure);
  }

  @ParameterizedTest
  @EnumSource
  void eachReasonHasACode(Reason reason) {
    assertThat(ClusterJoin.coded(new StorageException(reason, "why", null)).code().number())
        .isBetween(5001, 5002);
  }
}
