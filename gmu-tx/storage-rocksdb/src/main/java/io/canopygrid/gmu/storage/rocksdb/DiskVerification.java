package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import io.canopygrid.gmu.storage.directory.DiskLabel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Reads all that the engine of a data directory has, once, and changes nothing. The log is read
 * when the engine is opened, with its checksums; then come the checksums of all sorted files, and
 * then the content itself. Confined to one thread.
 */
final class DiskVerification {
  private final DiskLabel label;
  private final DiskFindings findings = new DiskFindings();

  private DiskVerification(DiskLabel label) {
    this.label = label;
  }

  /**
   * Looks at a directory, which stays open.
   *
   * @throws StorageException the engine cannot be opened
   */
  static DiskReport of(DataDirectory directory) {
    DiskLabel label = directory.label();
    if (!label.engineMade()) {
      return new DiskReport(0, List.of(), 0, 0, List.of()); // a beginning that was interrupted
    }
    EngineFailures failures = new EngineFailures(directory.path());
    try (RocksEngine engine =
        RocksEngine.openToRead(directory.engine(), label.engineLog(), failures)) {
      return new DiskVerification(label).look(engine);
    } catch (RocksDBException e) {
      throw failures.of(e);
    }
  }

  private DiskReport look(RocksEngine engine) {
    findings.lookAt("a sorted file", engine::verifyChecksums);
    Facts facts = new Facts();
    findings.lookAt("family facts", () -> engine.read(Family.FACTS, facts::read));
    check(facts);
    ShardMap shards = new ShardMap(label.shards());
    ContentCheck content = new ContentCheck(engine, shards, facts, findings);
    content.run();
    List<DiskReport.Copy> copies = new ArrayList<>();
    facts.copies.forEach(
        (shard, state) -> copies.add(content.counts(shard).report(shard, state == Facts.COMPLETE)));
    return new DiskReport(
        facts.position, copies, content.decisions(), findings.count(), findings.told());
  }

  private void check(Facts facts) {
    if (facts.disk != label.disk().value()) {
      findings.add(
          "the engine is of disk %x, and CANOPY is of disk %x", facts.disk, label.disk().value());
    }
    for (int shard : facts.copies.keySet()) {
      if (shard > label.shards()) {
        findings.add("there is a copy of shard %d, and the grid has %d", shard, label.shards());
      }
    }
    check(facts.topology);
    facts.over.forEach(this::check);
  }

  private void check(@Nullable Topology topology) {
    if (topology != null && topology.shards().size() != label.shards() + 1) {
      findings.add(
          "topology %d has %d shards with TOP, and the grid has %d without it",
          topology.id(), topology.shards().size(), label.shards());
    }
  }
}
