package io.canopygrid.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table that is made of the measurements. */
final class RoundTripTableTest {
  private static final Map<Layer, Double> MICROS =
      Map.of(
          Layer.SOCKET, 50.0,
          Layer.JGROUPS, 100.0,
          Layer.STACK, 80.0,
          Layer.MESSAGES, 85.0,
          Layer.EXCHANGE, 75.0,
          Layer.CALL, 90.0,
          Layer.READ, 95.0,
          Layer.LOOKUP, 125.0);

  /** Three rounds: one as said, one in which all was slower, one in which the layer was. */
  private static List<Result> results(double lookUpMicros) {
    List<Result> results = new ArrayList<>();
    MICROS.forEach((layer, said) -> {
      double micros = layer == Layer.LOOKUP ? lookUpMicros : said;
      results.add(result(layer, 1, micros));
      results.add(result(layer, 2, 3 * micros));
      results.add(result(layer, 3, layer == Layer.LOOKUP ? 9 * micros : said));
    });
    return results;
  }

  private static Result result(Layer layer, int round, double p50) {
    return new Result(layer, round, new Sizes(100, 200), 1_000, 1, 0.1, p50, 2 * p50, 1_000, 0.5);
  }

  private static String row(List<String> lines, Layer layer) {
    return lines.stream().filter(line -> line.startsWith(layer + " ")).findFirst().orElse("");
  }

  @Test
  void aRatioIsTheMedianOfTheRounds() {
    RoundTripTable table = new RoundTripTable(results(125));

    assertThat(table.ratioToJgroups(Layer.LOOKUP)).isEqualTo(1.25);
    assertThat(table.ratioToJgroups(Layer.SOCKET)).isEqualTo(0.5);
    assertThat(table.ratioToJgroups(Layer.JGROUPS)).isEqualTo(1);
  }

  @Test
  void eachLayerOfALookUpAddsItsShare() {
    List<Result> once =
        MICROS.entrySet().stream().map(e -> result(e.getKey(), 1, e.getValue())).toList();
    List<String> lines = new RoundTripTable(once).lines();

    assertThat(row(lines, Layer.SOCKET))
        .contains("50.0 to 50.0", " 100.0 ")
        .endsWith("40 %           ");
    assertThat(row(lines, Layer.EXCHANGE)).contains(" 25.0 ", " 20 %");
    assertThat(row(lines, Layer.READ)).contains("exchange", " 20.0 ", " 16 %").endsWith("1.000");
    assertThat(row(lines, Layer.LOOKUP)).contains(" 30.0 ", " 24 %").endsWith("1.000");
    assertThat(Stream.of(Layer.JGROUPS, Layer.STACK, Layer.MESSAGES, Layer.CALL))
        .as("no part of a look-up")
        .allSatisfy(layer -> assertThat(row(lines, layer)).isNotEmpty().doesNotContain("%"));
  }

  @Test
  void itSaysWhetherALookUpTakesAsLittleAsIsWanted() {
    assertThat(new RoundTripTable(results(150)).lines()).last().asString().endsWith("1.5: met");
    assertThat(new RoundTripTable(results(151)).lines()).last().asString().endsWith("not met");
  }

  @Test
  void aLookUpThatAskedNobodyIsFound() {
    Result asked = result(Layer.LOOKUP, 1, 80);
    Result local = new Result(Layer.LOOKUP, 2, new Sizes(9, 9), 1_000, 1, 1, 2, 3, 999, 0);
    Result socket = new Result(Layer.SOCKET, 1, new Sizes(9, 9), 1_000, 1, 1, 2, 3, 0, 0);

    assertThat(Stream.of(asked, socket)).allMatch(Result::isRemote);
    assertThat(local.isRemote()).isFalse();
  }
}
