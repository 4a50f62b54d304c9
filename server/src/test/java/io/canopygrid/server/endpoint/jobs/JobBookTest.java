package io.canopygrid.server.endpoint.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.engine.FlattenStep;
import io.canopygrid.job.JobReport;
import io.canopygrid.job.JobReport.State;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class JobBookTest {
  private long nanos;
  private final JobBook book = new JobBook("n1", () -> nanos, () -> 1_000_000);

  private static JobReport report(String id, State state) {
    return new JobReport(id, JobReport.Kind.LOAD, state, "accounts", "", "KiB", 1, 2, 7_000, "");
  }

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  private List<State> states() {
    return book.all().stream().map(job -> job.report().state()).toList();
  }

  @Test
  void aJobOfWhichNothingIsHeardIsSilentAndForgottenAtLast() {
    book.hear(report("a", State.RUNNING), "ada");
    assertThat(book.all().get(0).startedMillis()).isEqualTo(993_000);
    pass(29);
    assertThat(states()).containsExactly(State.RUNNING);
    pass(2);
    assertThat(states()).containsExactly(State.SILENT);
    book.hear(report("a", State.RUNNING), "ada");
    assertThat(states()).containsExactly(State.RUNNING);
    pass(901);
    assertThat(states()).isEmpty();
  }

  @Test
  void anEndedJobStaysForAWhile() {
    book.hear(report("a", State.DONE), "ada");
    pass(899);
    assertThat(states()).containsExactly(State.DONE);
    pass(2);
    assertThat(states()).isEmpty();
  }

  @Test
  void aCancelIsHeardAlsoByAJobThatIsNotKnownYet() {
    book.cancel("a", "ada");
    assertThat(book.hear(report("a", State.RUNNING), "bob")).isEqualTo("ada");
    assertThat(book.hear(report("b", State.RUNNING), "bob")).isEmpty();
    assertThat(book.all().get(0).isEnding()).isTrue();
    assertThat(book.all().get(1).isEnding()).isFalse();
  }

  @Test
  void ofTooManyTheOldestAreForgotten() {
    for (int i = 0; i < 1_010; i++) {
      book.hear(report("job" + i, State.RUNNING), "ada");
    }
    assertThat(book.all()).hasSize(1_000);
    assertThat(book.all().get(0).report().id()).isEqualTo("job10");
  }

  @Test
  void jobsTravelAsTheyAre() {
    book.hear(report("a", State.RUNNING), "ädä");
    book.cancel("a", "bob");
    book.hear(report("b", State.FAILED), "bob");
    assertThat(HeardJob.decode(HeardJob.encode(book.all()))).isEqualTo(book.all());
  }

  @Test
  void aFlatteningIsOneJobUntilItIsCancelled() {
    FlattenJobs flattening = new FlattenJobs(book, () -> nanos);
    flattening.step("trial", "ada", () -> new FlattenStep(7, 10, false));
    pass(1);
    flattening.step("trial", "ada", () -> new FlattenStep(7, 5, false));
    HeardJob job = book.all().get(0);
    assertThat(job.report().done()).isEqualTo(15);
    assertThat(job.report().tookMillis()).isEqualTo(1_000);
    book.cancel(job.report().id(), "bob");
    assertThatThrownBy(() -> flattening.step("trial", "ada", () -> new FlattenStep(7, 5, true)))
        .hasMessageContaining("cancelled by bob");
    assertThat(states()).containsExactly(State.CANCELLED);
    flattening.step("trial", "ada", () -> new FlattenStep(7, 5, true));
    assertThat(states()).containsExactly(State.CANCELLED, State.DONE);
  }

  @Test
  void anIndexThatIsNoCloneIsNoJob() {
    FlattenJobs flattening = new FlattenJobs(book, () -> nanos);
    flattening.step("accounts", "ada", () -> new FlattenStep(7, 0, true));
    assertThat(states()).isEmpty();
  }
}
