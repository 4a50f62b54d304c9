package io.canopygrid.history;

import static io.canopygrid.history.Op.add;
import static io.canopygrid.history.Op.append;
import static io.canopygrid.history.Op.read;
import static io.canopygrid.history.Op.scan;
import static io.canopygrid.history.Op.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One planted violation of each kind is found and named; its right twin is accepted. */
final class HistoryCheckerTest {
  record Planted(String title, Anomaly anomaly, Story wrong, Story right) {
    @Override
    public String toString() {
      return title + ": " + anomaly;
    }
  }

  static Stream<Planted> planted() {
    return Stream.of(lists(), snapshots(), sessions(), registers(), scans()).flatMap(s -> s);
  }

  private static Stream<Planted> lists() {
    return Stream.of(
        new Planted(
            "two keys, opposite orders",
            Anomaly.DIRTY_WRITE,
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .ok(2, append("x", 2), append("y", 2))
                .fin(3, read("x").saw(1, 2), read("y").saw(2, 1)),
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .ok(2, append("x", 2), append("y", 2))
                .fin(3, read("x").saw(2, 1), read("y").saw(2, 1))),
        new Planted(
            "what failed is there",
            Anomaly.ABORTED_READ,
            Story.lists().fail(1, append("x", 1)).ok(2, read("x").saw(1)),
            Story.lists().fail(1, append("x", 1)).ok(2, read("x").saw())),
        new Planted(
            "half of what one appended",
            Anomaly.INTERMEDIATE_READ,
            Story.lists()
                .ok(1, append("x", 1), append("x", 2))
                .ok(2, read("x").saw(1))
                .fin(3, read("x").saw(1, 2)),
            Story.lists()
                .ok(1, append("x", 1), append("x", 2))
                .ok(2, read("x").saw(1, 2))
                .fin(3, read("x").saw(1, 2))),
        new Planted(
            "each read the other one's append",
            Anomaly.CIRCULAR_INFORMATION_FLOW,
            Story.lists()
                .ok(1, append("x", 1), read("y").saw(2))
                .ok(2, append("y", 2), read("x").saw(1)),
            Story.lists()
                .ok(1, append("x", 1), read("y").saw())
                .ok(2, append("y", 2), read("x").saw(1))),
        new Planted(
            "both appended to what both read",
            Anomaly.LOST_UPDATE,
            Story.lists()
                .ok(1, read("x").saw(), append("x", 1))
                .ok(2, read("x").saw(), append("x", 2))
                .fin(3, read("x").saw(1, 2)),
            Story.lists()
                .ok(1, read("x").saw(), append("x", 1))
                .ok(2, read("x").saw(1), append("x", 2))
                .fin(3, read("x").saw(1, 2))),
        new Planted(
            "an update that saw half of another one",
            Anomaly.READ_SKEW,
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .ok(2, read("x").saw(), read("y").saw(1), append("z", 2))
                .fin(3, read("x").saw(1), read("y").saw(1), read("z").saw(2)),
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .ok(2, read("x").saw(1), read("y").saw(1), append("z", 2))
                .fin(3, read("x").saw(1), read("y").saw(1), read("z").saw(2))),
        new Planted(
            "each missed the other one's append",
            Anomaly.WRITE_SKEW,
            Story.lists()
                .ok(1, read("x").saw(), append("y", 1))
                .ok(2, read("y").saw(), append("x", 2))
                .fin(3, read("x").saw(2), read("y").saw(1)),
            Story.lists()
                .ok(1, read("x").saw(), append("y", 1))
                .ok(2, read("y").saw(1), append("x", 2))
                .fin(3, read("x").saw(2), read("y").saw(1))),
        new Planted(
            "own append missed",
            Anomaly.INTERNAL,
            Story.lists().ok(1, append("x", 1), read("x").saw()),
            Story.lists().ok(1, append("x", 1), read("x").saw(1))),
        new Planted(
            "one list changed between two reads",
            Anomaly.INTERNAL,
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(), read("x").saw(1)),
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1), read("x").saw(1))),
        new Planted(
            "lists that part",
            Anomaly.INCOMPATIBLE_ORDER,
            Story.lists()
                .ok(1, append("x", 1))
                .ok(2, append("x", 2))
                .ok(3, read("x").saw(1))
                .ok(4, read("x").saw(2, 1)),
            Story.lists()
                .ok(1, append("x", 1))
                .ok(2, append("x", 2))
                .ok(3, read("x").saw(2))
                .ok(4, read("x").saw(2, 1))),
        new Planted(
            "an element twice",
            Anomaly.DUPLICATE_ELEMENT,
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1, 1)),
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1))),
        new Planted(
            "an element from nowhere",
            Anomaly.UNKNOWN_ELEMENT,
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1, 7)),
            Story.lists().ok(1, append("x", 1)).info(3, append("x", 7)).ok(2, read("x").saw(1, 7))),
        new Planted(
            "an acknowledged append is gone",
            Anomaly.LOST_WRITE,
            Story.lists().ok(1, append("x", 1)).ok(2, append("x", 2)).fin(3, read("x").saw(1)),
            Story.lists().ok(1, append("x", 1)).info(2, append("x", 2)).fin(3, read("x").saw(1))),
        new Planted(
            "an acknowledged append was seen once and is gone",
            Anomaly.LOST_WRITE,
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1)).fin(3, read("x").saw()),
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1)).fin(3, read("x").saw(1))));
  }

  private static Stream<Planted> snapshots() {
    return Stream.of(
        new Planted(
            "a read-only transaction that saw half",
            Anomaly.HALF_COMMIT,
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .ok(2, read("x").saw(1), read("y").saw())
                .fin(3, read("x").saw(1), read("y").saw(1)),
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .ok(2, read("x").saw(), read("y").saw())
                .fin(3, read("x").saw(1), read("y").saw(1))),
        new Planted(
            "a read-only transaction that missed a cause at a distance",
            Anomaly.INCONSISTENT_SNAPSHOT,
            Story.lists()
                .ok(1, append("x", 1))
                .ok(2, read("x").saw(1), append("y", 2))
                .ok(3, read("y").saw(2), append("z", 3))
                .ok(4, read("z").saw(3), read("x").saw()),
            Story.lists()
                .ok(1, append("x", 1))
                .ok(2, append("y", 2))
                .ok(3, read("y").saw(2), append("z", 3))
                .ok(4, read("z").saw(3), read("x").saw())),
        new Planted(
            "a cause by a missed write",
            Anomaly.INCONSISTENT_SNAPSHOT,
            Story.lists()
                .ok(1, read("y").saw(), append("x", 1))
                .ok(2, append("y", 2))
                .ok(4, read("y").saw(2), read("x").saw()),
            Story.lists()
                .ok(1, append("x", 1))
                .ok(2, append("y", 2))
                .ok(4, read("y").saw(2), read("x").saw())),
        new Planted(
            "what a failed transaction saw counts too",
            Anomaly.HALF_COMMIT,
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .fail(2, read("x").saw(1), read("y").saw(), append("x", 9)),
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .fail(2, read("x").saw(1), read("y").saw(1), append("x", 9))),
        new Planted(
            "what an unknown transaction saw counts too",
            Anomaly.HALF_COMMIT,
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .info(2, read("x").saw(1), read("y").saw(), append("x", 9)),
            Story.lists()
                .ok(1, append("x", 1), append("y", 1))
                .info(2, read("x").saw(1), read("y"), append("x", 9))),
        new Planted(
            "an unknown transaction happened by half",
            Anomaly.HALF_COMMIT,
            Story.lists()
                .info(1, append("x", 1), append("y", 1))
                .fin(2, read("x").saw(1), read("y").saw()),
            Story.lists()
                .info(1, append("x", 1), append("y", 1))
                .fin(2, read("x").saw(), read("y").saw())));
  }

  private static Stream<Planted> sessions() {
    return Stream.of(
        new Planted(
            "one client misses its own append",
            Anomaly.READ_YOUR_WRITES,
            Story.lists().ok(1, append("x", 1)).ok(1, read("x").saw()),
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw())),
        new Planted(
            "one client goes back",
            Anomaly.MONOTONIC_READS,
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1)).ok(2, read("x").saw()),
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1)).ok(3, read("x").saw())),
        new Planted(
            "a failed transaction goes back behind its client",
            Anomaly.MONOTONIC_READS,
            Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1)).fail(2, read("x").saw()),
            Story.lists().ok(1, append("x", 1)).fail(2, read("x").saw(1)).ok(2, read("x").saw())),
        new Planted(
            "a long fork within one client",
            Anomaly.SESSION_ORDER,
            Story.lists()
                .ok(1, append("x", 1))
                .ok(2, read("x").saw(1), append("y", 2))
                .ok(3, read("y").saw(2))
                .ok(3, read("x").saw()),
            Story.lists()
                .ok(1, append("x", 1))
                .ok(2, append("y", 2))
                .ok(3, read("y").saw(2))
                .ok(4, read("x").saw(), read("y").saw(2))
                .ok(5, read("x").saw(1), read("y").saw())),
        new Planted(
            "an update before what its client had seen",
            Anomaly.SESSION_ORDER,
            Story.lists()
                .ok(1, append("x", 1))
                .ok(2, read("x").saw(1))
                .ok(2, append("y", 2))
                .ok(4, read("x").saw(), read("y").saw(2), append("z", 3)),
            Story.lists()
                .ok(1, append("x", 1))
                .ok(2, read("x").saw(1))
                .ok(3, append("y", 2))
                .ok(4, read("x").saw(), read("y").saw(2), append("z", 3))));
  }

  private static Stream<Planted> registers() {
    return Stream.of(
        new Planted(
            "both wrote over what both read",
            Anomaly.LOST_UPDATE,
            Story.registers()
                .ok(1, read("x").saw(), write("x", 1))
                .ok(2, read("x").saw(), write("x", 2)),
            Story.registers()
                .ok(1, read("x").saw(), write("x", 1))
                .ok(2, read("x").saw(1), write("x", 2))),
        new Planted(
            "a failed write was read",
            Anomaly.ABORTED_READ,
            Story.registers().fail(1, write("x", 1)).ok(2, read("x").saw(1)),
            Story.registers().fail(1, write("x", 1)).ok(2, read("x").saw())),
        new Planted(
            "a write that its own transaction overwrote",
            Anomaly.INTERMEDIATE_READ,
            Story.registers().ok(1, write("x", 1), write("x", 2)).ok(2, read("x").saw(1)),
            Story.registers().ok(1, write("x", 1), write("x", 2)).ok(2, read("x").saw(2))),
        new Planted(
            "own write missed",
            Anomaly.INTERNAL,
            Story.registers().ok(1, write("x", 1), read("x").saw()),
            Story.registers().ok(1, write("x", 1), read("x").saw(1))),
        new Planted(
            "two blind writes, and neither order will do",
            Anomaly.HALF_COMMIT,
            Story.registers()
                .ok(1, write("x", 1), write("y", 1))
                .ok(2, write("x", 2), write("y", 2))
                .ok(3, read("x").saw(1), read("y").saw(2))
                .ok(4, read("x").saw(2), read("y").saw(1)),
            Story.registers()
                .ok(1, write("x", 1))
                .ok(2, write("x", 2), write("y", 2))
                .ok(3, read("x").saw(1), read("y").saw(2))
                .ok(4, read("x").saw(2), read("y").saw(2))),
        new Planted(
            "a value from nowhere",
            Anomaly.UNKNOWN_ELEMENT,
            Story.registers().ok(2, read("x").saw(1)),
            Story.registers().ok(1, write("x", 1)).ok(2, read("x").saw(1))),
        new Planted(
            "an acknowledged write is gone",
            Anomaly.LOST_WRITE,
            Story.registers()
                .ok(1, read("x").saw(), write("x", 1))
                .ok(2, read("x").saw(1), write("x", 2))
                .fin(3, read("x").saw(1)),
            Story.registers()
                .ok(1, read("x").saw(), write("x", 1))
                .ok(2, read("x").saw(1), write("x", 2))
                .fin(3, read("x").saw(2))));
  }

  private static Stream<Planted> scans() {
    return Stream.of(
        new Planted(
            "a scan missed a row that came before one it saw",
            Anomaly.PHANTOM,
            Story.scans()
                .ok(1, add("a", 1))
                .ok(2, scan("a").saw(1), add("a", 2))
                .ok(3, scan("a").saw(2)),
            Story.scans().ok(1, add("a", 1)).ok(2, add("a", 2)).ok(3, scan("a").saw(2))),
        new Planted(
            "two ranges, one update, half of it",
            Anomaly.HALF_COMMIT,
            Story.scans().ok(1, add("a", 1), add("b", 2)).ok(3, scan("a").saw(), scan("b").saw(2)),
            Story.scans()
                .ok(1, add("a", 1), add("b", 2))
                .ok(3, scan("a").saw(1), scan("b").saw(2))),
        new Planted(
            "two updates added a row to what both found empty",
            Anomaly.PREDICATE_SKEW,
            Story.scans().ok(1, scan("a").saw(), add("a", 1)).ok(2, scan("a").saw(), add("a", 2)),
            Story.scans().ok(1, scan("a").saw(), add("a", 1)).ok(2, scan("a").saw(1), add("a", 2))),
        new Planted(
            "a row twice",
            Anomaly.DUPLICATE_ELEMENT,
            Story.scans().ok(1, add("a", 1)).ok(2, scan("a").saw(1, 1)),
            Story.scans().ok(1, add("a", 1)).ok(2, scan("a").saw(1))),
        new Planted(
            "a row from nowhere",
            Anomaly.UNKNOWN_ELEMENT,
            Story.scans().ok(2, scan("a").saw(1)),
            Story.scans().ok(1, add("a", 1)).ok(2, scan("a").saw(1))),
        new Planted(
            "a failed row",
            Anomaly.ABORTED_READ,
            Story.scans().fail(1, add("a", 1)).ok(2, scan("a").saw(1)),
            Story.scans().info(1, add("a", 1)).ok(2, scan("a").saw(1))),
        new Planted(
            "own row missed",
            Anomaly.INTERNAL,
            Story.scans().ok(1, add("a", 1), scan("a").saw()),
            Story.scans().ok(1, scan("a").saw(), add("a", 1))),
        new Planted(
            "an acknowledged row is gone",
            Anomaly.LOST_WRITE,
            Story.scans().ok(1, add("a", 1)).fin(2, scan("a").saw()),
            Story.scans().ok(1, add("a", 1)).fin(2, scan("a").saw(1))),
        new Planted(
            "one client misses a row that it had seen",
            Anomaly.MONOTONIC_READS,
            Story.scans().ok(1, add("a", 1)).ok(2, scan("a").saw(1)).ok(2, scan("a").saw()),
            Story.scans().ok(1, add("a", 1)).ok(2, scan("a").saw()).ok(2, scan("a").saw(1))));
  }

  @ParameterizedTest
  @MethodSource("planted")
  void findsAndNamesWhatIsPlanted(Planted planted) {
    Verdict verdict = planted.wrong.check();

    assertThat(verdict.counts()).as(verdict.toString()).containsKey(planted.anomaly);
    assertThat(verdict.findings())
        .filteredOn(finding -> finding.anomaly() == planted.anomaly)
        .allSatisfy(finding -> assertThat(finding.words()).contains("T", "process"));
  }

  @ParameterizedTest
  @MethodSource("planted")
  void acceptsTheRightTwin(Planted planted) {
    Verdict verdict = planted.right.check();

    assertThat(verdict.clean()).as(verdict.toString()).isTrue();
  }

  /** Two clients, or one, that see two independent updates in different order. */
  private static Story fork(int reader, int other) {
    return Story.lists()
        .ok(1, append("x", 1))
        .ok(2, append("y", 1))
        .ok(reader, read("x").saw(1), read("y").saw())
        .ok(other, read("x").saw(), read("y").saw(1));
  }

  @Test
  void aLongForkBreaksSerializabilityOnly() {
    assertThat(fork(3, 4).check(Model.EXTENDED_UPDATE_SERIALIZABLE, true).clean()).isTrue();
    assertThat(fork(3, 4).check(Model.EXTENDED_UPDATE_SERIALIZABLE, false).clean()).isTrue();
    assertThat(fork(3, 4).check(Model.SERIALIZABLE, false).counts())
        .containsOnlyKeys(Anomaly.LONG_FORK);
    assertThat(fork(3, 4).check(Model.SERIALIZABLE, true).counts())
        .containsOnlyKeys(Anomaly.LONG_FORK);
  }

  @Test
  void aLongForkOfOneClientIsNeverAllowed() {
    assertThat(fork(3, 3).check(Model.EXTENDED_UPDATE_SERIALIZABLE, false).counts())
        .containsOnlyKeys(Anomaly.SESSION_FORK);
    assertThat(fork(3, 3).check(Model.EXTENDED_UPDATE_SERIALIZABLE, true).counts())
        .containsKey(Anomaly.SESSION_ORDER);
  }

  @Test
  void aClientThatGoesBackIsANoteUnlessSessionsCount() {
    Story story =
        Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw(1)).ok(2, read("x").saw());

    Verdict verdict = story.check(Model.EXTENDED_UPDATE_SERIALIZABLE, false);

    assertThat(verdict.result()).isEqualTo(Verdict.Result.VALID);
    assertThat(verdict.notes()).anyMatch(note -> note.contains("order of sessions is broken"));
    assertThat(story.check().result()).isEqualTo(Verdict.Result.INVALID);
  }

  @Test
  void nothingCommittedShowsNothing() {
    assertThat(Story.lists().fail(1, append("x", 1)).check().result())
        .isEqualTo(Verdict.Result.UNKNOWN);
  }

  @Test
  void tooManyOpenOrdersAreUnknown() {
    Story story = Story.registers();
    for (int i = 1; i <= 9; i++) {
      story.ok(i, write("x", i));
    }

    assertThat(story.check().result()).isEqualTo(Verdict.Result.UNKNOWN);
  }

  @Test
  void tellsTheCycleInWords() {
    Verdict verdict =
        Story.lists()
            .ok(1, read("x").saw(), append("y", 1))
            .ok(2, read("y").saw(), append("x", 2))
            .fin(3, read("x").saw(2), read("y").saw(1))
            .check();

    assertThat(verdict.findings())
        .extracting(Verdict.Finding::words)
        .contains(
            "T0 (update, process 1) -rw x-> T2 (update, process 2) -rw y-> T0 (update, process 1)");
  }

  @Test
  void notesAStaleFirstReadWithoutCountingIt() {
    Verdict verdict = Story.lists().ok(1, append("x", 1)).ok(2, read("x").saw()).check();

    assertThat(verdict.clean()).isTrue();
    assertThat(verdict.notes()).singleElement().asString().contains("real time", "T2");
  }

  @Test
  void refusesAnElementWrittenTwice() {
    Story story = Story.lists().ok(1, append("x", 1)).ok(2, append("x", 1));

    assertThatThrownBy(story::check)
        .isInstanceOf(MalformedHistoryException.class)
        .hasMessageContaining("written once");
  }
}
