package io.canopygrid.study.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.study.load.Row;
import io.canopygrid.study.load.StudyWorkload;
import io.canopygrid.study.tree.Variant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cost of operations on eight simulated nodes, and the makings of the simulation. */
final class SimulatedStudyTest {
  private static final int NODES = 8;

  private static SimulatedStudy.Options options(Variant variant, boolean outside) {
    return new SimulatedStudy.Options(
        variant,
        NODES,
        1_000,
        8,
        2,
        List.of(outside ? ClientPlace.OUTSIDE : ClientPlace.NODES),
        true,
        6);
  }

  private static List<ScaleRow> run(Variant variant, boolean outside, StudyWorkload... workloads) {
    return SimulatedStudy.run(options(variant, outside), List.of(workloads), Costs.measured(), 7);
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    List<ScaleRow> once =
        run(Variant.CANOPY, false, StudyWorkload.BALANCED, StudyWorkload.SCAN_HEAVY);
    assertThat(run(Variant.CANOPY, false, StudyWorkload.BALANCED, StudyWorkload.SCAN_HEAVY))
        .isEqualTo(once);
  }

  @Test
  void theIndexNeedsAtMostOneRequestForAnOperationOfOneKey() {
    List<ScaleRow> rows =
        run(Variant.CANOPY, false, StudyWorkload.LOOKUP, StudyWorkload.RMW_BY_FUNCTION);
    for (ScaleRow point : rows) {
      Row row = point.row();
      assertThat(row.operations()).as("%s", row).isGreaterThan(100);
      assertThat(row.remoteRequestsPerTx()).as("%s", row).isBetween(0.5, 1.0);
    }
  }

  @Test
  void aPlainTreeNeedsMany() {
    List<ScaleRow> rows =
        run(Variant.BASELINE, false, StudyWorkload.LOOKUP, StudyWorkload.BALANCED);
    assertThat(rows.get(0).row().remoteRequestsPerTx()).isGreaterThan(3);
    assertThat(rows.get(1).row().remoteRequestsPerTx()).isGreaterThan(6);
  }

  @Test
  void clientsOutsideThatKnowTheOwnersNeedNoRequestBetweenNodes() {
    Row row = run(Variant.CANOPY, true, StudyWorkload.LOOKUP).get(0).row();
    assertThat(row.remoteRequestsPerTx()).isLessThan(0.01);
    assertThatThrownBy(() -> options(Variant.BASELINE, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Baseline");
  }

  @Test
  void noCoreIsBusyForLongerThanThereIsTime() {
    ScaleRow point = run(Variant.CANOPY, false, StudyWorkload.BALANCED).get(0);
    assertThat(point.coreBusyMost()).isBetween(0.01, 1.05);
    assertThat(point.lockBusyMost()).isBetween(0.001, 1.05);
    assertThat(point.crownEntries()).isGreaterThan(NODES);
  }

  @Test
  void curvesAreDrawn(@TempDir Path directory) throws Exception {
    List<ScaleRow> rows = run(Variant.CANOPY, false, StudyWorkload.LOOKUP);
    for (Path file : Charts.draw(rows, directory)) {
      assertThat(Files.readString(file)).contains("<svg").contains("<ellipse");
    }
    assertThat(ScaleReport.json(rows)).contains("\"lock_busy_most\"");
    assertThat(ScaleReport.table(rows)).hasSize(3);
  }

  @Test
  void costsThatLackSomethingAreRefused() {
    Properties none = new Properties();
    none.setProperty("cores", "2");
    assertThatThrownBy(() -> Costs.of(none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("latency");
  }
}
