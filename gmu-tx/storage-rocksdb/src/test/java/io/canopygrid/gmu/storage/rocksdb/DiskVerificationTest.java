package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage.Batch;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.engine.OpenDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A look at a disk finds what was changed in it, and nothing on one that a node has left. */
final class DiskVerificationTest {
  private static final ShardMap SHARDS = new ShardMap(TestEngine.SHARDS);
  private static final int COMMITS = 600;

  /** Without ticks nothing is written while nobody commits. */
  private static final NodeSettings STILL =
      new NodeSettings(ProtocolConfig.DEFAULT, TimeUnit.HOURS.toMillis(1), 0);

  private static final NodeSettings TICKING = new NodeSettings(ProtocolConfig.DEFAULT, 1, 0);

  @TempDir private Path temporary;

  private int copies;

  /** As a process leaves it that is killed: all is in the log. */
  private Path killed;

  /** As it is after an orderly end: all is in sorted files. */
  private Path closed;

  @BeforeEach
  void writeWithANode() throws Exception {
    closed = temporary.resolve("data");
    try (GmuNode node = node(closed, STILL)) {
      commit(node, COMMITS);
      killed = copyOf(closed);
    }
  }

  private static GmuNode node(Path path, NodeSettings settings) {
    GmuNode node =
        StandaloneNode.start(
            SHARDS,
            settings,
            TreeMapStore.FACTORY,
            Fences.NONE,
            TestEngine.open(path, EngineLimits.DEFAULT),
            Durability.ASYNC);
    while (!node.isReady()) {
      Thread.onSpinWait();
    }
    return node;
  }

  private static CompositeKey key(long shard, int ku) {
    return CompositeKey.of(SHARDS.kclIn((int) shard), new byte[] {(byte) ku, 0, 7});
  }

  private static void commit(GmuNode node, int times) throws TimeoutException {
    SplittableRandom random = new SplittableRandom(times);
    for (int i = 0; i < times; i++) {
      List<Write> writes = new ArrayList<>();
      int first = random.nextInt(TestEngine.SHARDS);
      for (int j = 0; j < 3; j++) {
        byte[] value = new byte[i % 50 == 0 ? 20_000 : random.nextInt(200)];
        random.nextBytes(value);
        writes.add(
            new Write(
                key((first + j) % TestEngine.SHARDS, random.nextInt(40)),
                random.nextInt(5) == 0 ? null : value,
                null));
      }
      GmuTransaction tx =
          node.begin(VectorClock.ZERO, System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
      Outcome outcome = tx.commit(new Footprint(List.of(), List.of(), writes), "");
      assertThat(outcome).isInstanceOf(Outcome.Committed.class);
    }
  }

  private static void assertSound(Path path) throws IOException {
    Map<String, Integer> before = contentOf(path);
    DiskReport report = OpenDisk.verify(path);
    assertThat(report.problems()).isEmpty();
    assertThat(report.problemCount()).isZero();
    assertThat(report.copies()).hasSize(TestEngine.SHARDS + 1).allMatch(DiskReport.Copy::complete);
    assertThat(report.versions()).isGreaterThan(40 * TestEngine.SHARDS / 2);
    assertThat(report.position()).isPositive();
    assertThat(contentOf(path)).as("nothing is changed").isEqualTo(before);
  }

  private static Map<String, Integer> contentOf(Path path) throws IOException {
    Map<String, Integer> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("LOCK") || file.startsWith(path.resolve("engine"))) {
          content.put(file.toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return content;
  }

  @Test
  void whatANodeLeavesIsSound() throws IOException {
    assertSound(killed);
    assertSound(closed);
    DiskReport report = OpenDisk.verify(killed);
    assertThat(report.copies().stream().mapToLong(DiskReport.Copy::versions).sum())
        .isEqualTo(3 * COMMITS);
    assertThat(report.copies().stream().mapToLong(DiskReport.Copy::keys).sum())
        .isEqualTo(keysOf(killed));
  }

  private static long keysOf(Path path) {
    try (RocksStorage storage = TestEngine.open(path)) {
      return storage.recovered().copies().values().stream()
          .mapToLong(
              copy -> copy.versions().stream().map(Recovered.Version::key).distinct().count())
          .sum();
    }
  }

  /** Versions and log entries are dropped meanwhile. */
  @Test
  void whatANodeLeavesThatCollectsGarbageIsSound() throws Exception {
    Path path = temporary.resolve("collected");
    long written = 0;
    DiskReport report;
    do {
      try (GmuNode node = node(path, TICKING)) {
        commit(node, COMMITS);
      }
      written += 3 * COMMITS;
      assertSound(path);
      report = OpenDisk.verify(path);
    } while (report.copies().stream().mapToLong(DiskReport.Copy::logged).sum() >= written);
  }

  @Test
  void aBitThatChangesInTheLogIsFound() throws IOException {
    Path log = DirectoryContent.segments(killed).get(0);
    int length = (int) Files.size(log);
    for (int at = length / 10; at < length * 8 / 10; at += length / 10) {
      Path damaged = withBit(killed, log, at);
      assertThat(OpenDisk.verify(damaged).problems())
          .as("bit at %d of %d", at, length)
          .singleElement()
          .asString()
          .contains("write-ahead log", "is damaged", log.getFileName().toString());
    }
  }

  @Test
  void aBitThatChangesInASortedFileIsFoundAndTheFileNamed() throws IOException {
    int named = 0;
    for (Path file : DirectoryContent.engineFiles(closed, ".sst")) {
      int length = (int) Files.size(file);
      for (int at = 20; at < length / 2; at += 1 + length / 6) {
        Path damaged = withBit(closed, file, at);
        DiskReport report = OpenDisk.verify(damaged);
        assertThat(report.problemCount()).as("bit at %d of %s", at, file).isPositive();
        if (report.problems().toString().contains(file.getFileName().toString())) {
          named++;
        }
      }
    }
    assertThat(named).isGreaterThan(5);
  }

  @Test
  void aBitThatChangesInALargeValueIsFound() throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path file : DirectoryContent.engineFiles(closed, ".blob")) {
      Path damaged = withBit(closed, file, (int) Files.size(file) / 2);
      problems.addAll(OpenDisk.verify(damaged).problems());
    }
    // A decision has large values, too, in a file of its own.
    assertThat(problems)
        .anySatisfy(problem -> assertThat(problem).contains("family data cannot be read"));
  }

  @Test
  void aFileThatIsGoneIsFound() throws IOException {
    Files.delete(DirectoryContent.engineFiles(closed, ".sst").get(0));
    assertThat(OpenDisk.verify(closed).problems()).singleElement().asString().contains("damaged");
    Files.delete(DirectoryContent.segments(killed).get(0));
    assertThat(OpenDisk.verify(killed).problems()).singleElement().asString().contains("log");
  }

  private void assertFound(String problem, StorageChange... changes) throws IOException {
    Path path = copyOf(closed);
    try (RocksStorage storage = TestEngine.open(path)) {
      storage.write(List.of(new Batch(storage.openedAt() + 1, List.of(changes))));
    }
    DiskReport report = OpenDisk.verify(path);
    assertThat(report.problems()).hasSize(1);
    assertThat(report.problems().get(0)).contains(problem);
  }

  /** Each of these has right checksums, and is what no node stores. */
  @Test
  void contentThatDoesNotFitIsFound() throws IOException {
    Recovered.Copy copy;
    try (RocksStorage storage = TestEngine.open(copyOf(closed))) {
      copy = Objects.requireNonNull(storage.recovered().copies().get(3));
    }
    var middle = copy.log().get(copy.log().size() / 2);
    long number = middle.sequenceNumber();
    TxId tid = middle.tid();
    TxId other = new TxId(new NodeId(77), 5);

    assertFound("which the log lacks", new StorageChange.DropLog(3, number, tid));
    assertFound(
        "and belongs to 2",
        new StorageChange.PutVersion(3, key(2, 1), number, tid, tid, new byte[0]));
    assertFound("in its clock", new StorageChange.PutLog(4, number, other, VectorClock.ZERO));
    assertFound(
        "topology 9 has 0 shards",
        new StorageChange.PutTopology(new Topology(9, List.of(), List.of()), List.of()));
  }

  @Test
  void theLabelIsLookedAtToo() throws IOException {
    Path label = closed.resolve("CANOPY");
    byte[] bytes = Files.readAllBytes(label);
    bytes[3] ^= 1;
    Files.write(label, bytes);
    assertThat(OpenDisk.verify(closed).problems()).singleElement().asString().contains("CANOPY");
    bytes[bytes.length - 1] ^= 1;
    Files.write(label, bytes);
    assertThat(OpenDisk.verify(closed).problems()).singleElement().asString().contains("CANOPY");
  }

  @Test
  void aDirectoryInUseAndOneWithoutDataAreRefused() throws IOException {
    try (RocksStorage storage = TestEngine.open(closed)) {
      assertRefused(Reason.IN_USE, closed);
      assertThat(storage.openedAt()).isPositive();
    }
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    assertRefused(Reason.FOREIGN, empty);
    assertThat(empty).isEmptyDirectory();
    assertRefused(Reason.FOREIGN, temporary.resolve("none"));
    assertThat(temporary.resolve("none")).doesNotExist();
  }

  private static void assertRefused(Reason reason, Path path) {
    assertThatThrownBy(() -> OpenDisk.verify(path))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(path.toString());
  }

  private Path withBit(Path path, Path file, int at) throws IOException {
    Path damaged = copyOf(path);
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 0x08;
    Files.write(damaged.resolve(path.relativize(file)), bytes);
    return damaged;
  }

  private Path copyOf(Path path) throws IOException {
    return DirectoryContent.copy(path, temporary.resolve("copy" + copies++));
  }
}
