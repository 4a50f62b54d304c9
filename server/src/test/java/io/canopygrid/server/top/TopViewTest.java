package io.canopygrid.server.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.server.state.WorkVerdict;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.RunningJob;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A look as lines. */
final class TopViewTest {
  private static final int WIDE = 200;

  @Test
  void countsBecomeRatesByTheLookBefore() {
    TopSample before = Samples.of(10, List.of(), 100, 200, 300);
    TopSample now = Samples.of(12, List.of(Samples.index("names", 40, 2.5)), 120, 200, 1_300);

    TopView view = new TopView(now, before);

    assertThat(view.verdictLines(WIDE))
        .containsExactly("3 of 3 nodes, 8 of 8 copies, one more failure is survived");
    assertThat(view.lines(WIDE))
        .containsExactly(
            "510 commits/s, 51 aborts/s, 40 reads/s, 2.5 writes/s",
            "",
            "node  state  commits/s  aborts/s  reads/s  writes/s  p50 ms  p99 ms   heap MiB  data  primaries  copies",
            "-------------------------------------------------------------------------------------------------------",
            "vm0   ready         10       1.0       40       2.5     1.5    12.3  64 of 512     -          2       3",
            "vm1   ready        0.0       0.0      0.0       0.0     1.5    12.3  64 of 512     -          1       3",
            "vm2   ready        500        50      0.0       0.0     1.5    12.3  64 of 512     -          1       2",
            "",
            "index  reads/s  writes/s  entries  subtrees",
            "-------------------------------------------",
            "names       40       2.5     1000         2");
  }

  @Test
  void whatTakesLongIsSaid() {
    WorkVerdict work =
        new WorkVerdict(new Reply.Work(List.of(new RunningJob("backup", "", 1, 4)), 0, ""));
    TopSample sample = Samples.working(Samples.of(1, List.of(), 7, 7, 7), work);

    assertThat(new TopView(sample, null).lines(WIDE)).startsWith("under way: backup (25 %)");
  }

  @Test
  void theFirstLookHasNoRates() {
    List<String> lines = new TopView(Samples.of(1, List.of(), 7, 7, 7), null).lines(WIDE);

    assertThat(lines).contains("- commits/s, - aborts/s, 0.0 reads/s, 0.0 writes/s", "no indexes");
    assertThat(cells(lines, "vm0")).containsSequence("ready", "-", "-");
  }

  @Test
  void aNodeThatStartedAnewOrDoesNotTellHasNoRate() {
    TopSample before = Samples.of(1, List.of(), 100, 100, -1);
    TopSample now = Samples.of(2, List.of(), 3, -1, 100);

    List<String> lines = new TopView(now, before).lines(WIDE);

    assertThat(lines).contains("- commits/s, - aborts/s, 0.0 reads/s, 0.0 writes/s");
    for (String node : List.of("vm0", "vm1", "vm2")) {
      assertThat(cells(lines, node)).containsSequence("ready", "-", "-");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 20, 40, 60, 80, 100})
  void noLineIsWiderThanTheTerminal(int width) {
    TopSample sample = Samples.of(1, List.of(Samples.index("names", 1, 1)), 1, 1, 1);

    TopView view = new TopView(sample, null);

    assertThat(Stream.concat(view.verdictLines(width).stream(), view.lines(width).stream()))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
  }

  @Test
  void aNarrowTerminalHasTheMostImportantColumns() {
    TopView view = new TopView(Samples.of(1, List.of(), 1, 1, 1), null);

    assertThat(view.verdictLines(42))
        .containsExactly("3 of 3 nodes, 8 of 8 copies, one more", "failure is survived");
    assertThat(view.lines(42)).contains("node  state  commits/s  aborts/s  reads/s");
  }

  @Test
  void theIndexesThatAreUsedMostComeFirstAndTheOthersAreCounted() {
    List<TopSample.IndexUse> indexes =
        IntStream.range(0, 12).mapToObj(i -> Samples.index("i" + i, i, 0)).toList();

    List<String> lines = new TopView(Samples.of(1, indexes, 1), null).lines(WIDE);

    assertThat(
            lines.stream()
                .filter(line -> line.matches("i\\d+ .*"))
                .map(line -> line.split(" ", 2)[0]))
        .containsExactly("i11", "i10", "i9", "i8", "i7", "i6", "i5", "i4", "i3", "i2");
    assertThat(lines).endsWith("and 2 more");
  }

  @Test
  void namesDoNotSteerTheTerminal() {
    TopSample sample = Samples.of(1, List.of(Samples.index("a\u001b[2J", 1, 1)), 1);

    assertThat(String.join("", new TopView(sample, null).lines(WIDE)))
        .contains("a\\u001b[2J")
        .doesNotContain("\u001b");
  }

  private static List<String> cells(List<String> lines, String node) {
    return lines.stream()
        .filter(line -> line.startsWith(node))
        .map(line -> List.of(line.split(" +")))
        .findFirst()
        .orElseThrow();
  }
}
