package io.canopygrid.ycsb.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.CanopyDB;
import io.canopygrid.ycsb.bench.BenchResult.Kind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A benchmark on one embedded node, and that it does not accept wrong data. */
final class BenchTest {
  private static final long RECORDS = 300;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Narrator narrator = Narrator.on(new PrintStream(said, true, UTF_8));
  private Canopy canopy;

  @BeforeEach
  void start() {
    canopy = EmbeddedCanopy.start();
  }

  @AfterEach
  void stop() {
    canopy.close();
  }

  @Test
  void everyWorkloadGivesAResultAndLeavesTheRecordsAsTheyWere() throws Exception {
    List<BenchResult> results = new ArrayList<>();
    BenchSettings settings =
        new BenchSettings(
            WorkloadSpec.parseList("a,d,e,f/1", 2), 2, RECORDS, 200, 60, 0.05, ReadFrom.NEAREST);

    long errors = new Bench(canopy, settings, () -> 0, narrator).run(results::add, 1);

    assertThat(errors).as(said.toString(UTF_8)).isZero();
    assertThat(results).extracting(BenchResult::workload).containsExactly("a", "d", "e", "f");
    assertThat(results).extracting(BenchResult::threads).containsExactly(2, 2, 2, 1);
    assertThat(results).extracting(BenchResult::operations).containsOnly(200L);
    assertThat(results).extracting(BenchResult::errors).containsOnly(0L);
    assertThat(results.get(0).latencies()).containsOnlyKeys(Kind.READ, Kind.UPDATE);
    assertThat(results.get(2).latencies()).containsKey(Kind.SCAN);
    assertThat(results.get(3).latencies()).containsOnlyKeys(Kind.READ, Kind.READ_MODIFY_WRITE);
    assertThat(results)
        .flatExtracting(result -> result.latencies().values())
        .allSatisfy(p -> {
          assertThat(p.p50()).isPositive();
          assertThat(List.of(p.p50(), p.p95(), p.p99(), p.p999())).isSorted();
        });
    assertThat((long) canopy.read(tx -> tx.on(table()).count())).isEqualTo(RECORDS);
  }

  @Test
  void aMeasurementByTimeEnds() throws Exception {
    List<BenchResult> results = new ArrayList<>();
    BenchSettings settings =
        new BenchSettings(WorkloadSpec.parseList("c", 1), 1, RECORDS, 0, 2, 0.1, ReadFrom.PRIMARY);

    new Bench(canopy, settings, () -> 0, narrator).run(results::add, 1);

    assertThat(results).singleElement().extracting(BenchResult::operations).isNotEqualTo(0L);
  }

  @Test
  void failedOperationsAreCounted() throws Exception {
    Phase load = loaded();
    canopy.run(tx -> tx.on(table()).removeRange(io.canopygrid.Range.all()));
    Properties reads = io.canopygrid.ycsb.Workloads.load("c");
    Phase phase = new Phase(canopy, reads, RECORDS, 50);

    phase.run(1, 50, 0, narrator.progress("reading", "operations", 50));

    assertThat(load.operationsDone()).isEqualTo(RECORDS);
    assertThat(phase.summary().errors()).isEqualTo(50);
    assertThat(phase.summary().failures()).containsEntry("READ NOT_FOUND", 50L);
    assertThat(phase.summary().latencies()).isEmpty();
  }

  @Test
  void aMissingRecordIsFound() throws Exception {
    Phase load = loaded();
    String victim = load.workload().keyName(RECORDS / 2);
    canopy.run(tx -> tx.on(table()).remove(victim));
    CanopyDB db = load.connect();

    assertThatThrownBy(() -> new DatabaseChecks(canopy, db, load.workload(), RECORDS).run(1))
        .isInstanceOf(BenchFailure.class)
        .hasMessageContaining("found 299 keys, expected 300")
        .hasMessageContaining("should be " + victim);
  }

  @Test
  void anExtraRecordIsFound() throws Exception {
    Phase load = loaded();
    canopy.run(tx -> tx.on(table()).put("zzz", new byte[0]));
    CanopyDB db = load.connect();

    assertThatThrownBy(() -> new DatabaseChecks(canopy, db, load.workload(), RECORDS).run(1))
        .isInstanceOf(BenchFailure.class)
        .hasMessageContaining("found 301 keys, expected 300")
        .hasMessageContaining("zzz");
  }

  @Test
  void aRecordInAnothersPlaceIsFound() throws Exception {
    Phase load = loaded();
    Index<String, byte[]> table = table();
    List<String> keys = canopy.read(tx -> tx.on(table).scan().keys().toList());
    canopy.run(tx -> {
      byte[] wrong = tx.on(table).get(keys.get(0));
      for (String key : keys) {
        tx.on(table).put(key, wrong == null ? new byte[0] : wrong);
      }
    });
    CanopyDB db = load.connect();

    assertThatThrownBy(() -> new DatabaseChecks(canopy, db, load.workload(), RECORDS).run(1))
        .isInstanceOf(BenchFailure.class)
        .hasMessageContaining("a scan of");
  }

  private Phase loaded() throws BenchFailure {
    Properties deterministic = new Properties();
    deterministic.setProperty("dataintegrity", "true");
    Phase load = new Phase(canopy, deterministic, RECORDS, 0);
    load.load(2, RECORDS, narrator.progress("loading", "records", RECORDS));
    return load;
  }

  private Index<String, byte[]> table() {
    return canopy.index(UserTable.NAME, Codec.string(), Codec.bytes());
  }
}
