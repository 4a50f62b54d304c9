package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import io.canopygrid.gmu.storage.directory.DiskLabel;
import io.canopygrid.gmu.storage.wal.LogReplay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Reads all that a data directory has, once, and changes nothing but the torn end of a file that a
 * power cut has left. First come the checksums of all sorted files; then the log is read, with its
 * checksums; and then the content of both together. Confined to one thread.
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
    if (!label.storageMade()) {
      return new DiskReport(0, List.of(), 0, 0, List.of()); // a beginning that was interrupted
    }
    EngineFailures failures = new EngineFailures(directory.path());
    try (RocksEngine engine = RocksEngine.openToRead(directory.engine(), failures)) {
      return new DiskVerification(label).look(engine, directory.log(), failures);
    } catch (RocksDBException e) {
      throw failures.of(e);
    }
  }

  private DiskReport look(RocksEngine engine, Path log, EngineFailures failures) {
    findings.lookAt("a sorted file", engine::verifyChecksums);
    NetChanges net = new NetChanges();
    findings.lookAt(
        "family facts or tx",
        () -> {
          ContentReader reader = new ContentReader(engine);
          Facts facts = reader.facts();
          ChangeWriter writer = new ChangeWriter(facts, reader.decisionRanges());
          LogFeed feed = new LogFeed(engine, failures, writer, facts.position, Long.MAX_VALUE);
          findings.lookAt("the write-ahead log", () -> read(log, feed, facts.position, net));
        });
    ContentCheck.Source source = new ChangedEngine(engine, net);
    Facts facts = new Facts();
    findings.lookAt("family facts", () -> source.read(Family.FACTS, facts::read));
    check(facts);
    ShardMap shards = new ShardMap(label.shards());
    ContentCheck content = new ContentCheck(source, shards, facts, findings);
    content.run();
    List<DiskReport.Copy> copies = new ArrayList<>();
    facts.copies.forEach(
        (shard, state) -> copies.add(content.counts(shard).report(shard, state == Facts.COMPLETE)));
    return new DiskReport(
        facts.position, copies, content.decisions(), findings.count(), findings.told());
  }

  private void read(Path log, LogFeed feed, long position, NetChanges net) throws IOException {
    new LogReplay(log, label.disk().value(), label.newestLog())
        .run(position, segment -> feed.read(segment, net));
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
