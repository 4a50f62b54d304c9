package io.canopygrid.server.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.RunningJob;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WorkVerdictTest {
  private static final RunningJob LOAD = new RunningJob("load", "people", 40, 100);
  private static final RunningJob BACKUP = new RunningJob("backup", "", 3, 0);

  private static WorkVerdict verdict(long heldMillis, String holder, RunningJob... jobs) {
    return WorkVerdict.of(Optional.of(new Reply.Work(List.of(jobs), heldMillis, holder)));
  }

  @Test
  void saysNothingWhereThereIsNothing() {
    assertThat(verdict(0, "").text()).isNull();
    assertThat(WorkVerdict.of(Optional.empty()).text()).isNull();
    assertThat(WorkVerdict.NONE.fields())
        .containsEntry("jobs", List.of())
        .containsEntry("heldMillis", 0L)
        .containsEntry("holder", null);
  }

  @Test
  void namesJobsAndHowFarTheyAre() {
    assertThat(verdict(0, "", LOAD, BACKUP).text())
        .isEqualTo("under way: load of 'people' (40 %), backup");
    assertThat(verdict(0, "", LOAD, LOAD, LOAD, LOAD, BACKUP).text())
        .endsWith("load of 'people' (40 %), 2 more");
    assertThat(verdict(0, "", new RunningJob("build", "b", 7, 5)).text())
        .as("others have put more rows meanwhile")
        .isEqualTo("under way: build of 'b' (100 %)");
    assertThat(verdict(0, "", LOAD, BACKUP).fields().get("jobs"))
        .hasToString(
            "[{job=load, index=people, moved=40, entries=100},"
                + " {job=backup, index=null, moved=3, entries=null}]");
  }

  @Test
  void saysWhatHoldsTheHorizon() {
    assertThat(verdict(TimeUnit.HOURS.toMillis(3), "named snapshot 'night'").text())
        .isEqualTo("the horizon is held back by named snapshot 'night', for 3 h");
    assertThat(verdict(90_000, "a change feed of index 'a'", BACKUP).text())
        .isEqualTo(
            "under way: backup; the horizon is held back by a change feed of index 'a', for 1 min");
  }
}
