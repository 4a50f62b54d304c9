package io.canopygrid.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table that is made of the measurements. */
final class RoundTripTableTest {
  private static final Map<NetworkLayer, Double> MICROS =
      Map.of(
          NetworkLayer.SOCKET, 50.0,
          NetworkLayer.JGROUPS, 100.0,
          NetworkLayer.STACK, 80.0,
          NetworkLayer.MESSAGES, 85.0,
          NetworkLayer.EXCHANGE, 75.0,
          NetworkLayer.CALL, 90.0,
          NetworkLayer.READ, 95.0,
          NetworkLayer.LOOKUP, 125.0);

  /** Three rounds: one as said, one in which all was slower, one in which the layer was. */
  private static List<Result> results(double lookUpMicros) {
    List<Result> results = new ArrayList<>();
    MICROS.forEach((layer, said) -> {
      double micros = layer == NetworkLayer.LOOKUP ? lookUpMicros : said;
      results.add(result(layer, 1, micros));
      results.add(result(layer, 2, 3 * micros));
      results.add(result(layer, 3, layer == NetworkLayer.LOOKUP ? 9 * micros : said));
    });
    return results;
  }

  private static Result result(NetworkLayer layer, int round, double p50) {
    return new Result(
        layer, round, new MessageSizes(100, 200), 1_000, 1, 0.1, p50, 2 * p50, 1_000, 0.5);
  }

  private static String row(List<String> lines, NetworkLayer layer) {
    return lines.stream().filter(line -> line.startsWith(layer + " ")).findFirst().orElse("");
  }

  @Test
  void aRatioIsTheMedianOfTheRounds() {
    RoundTripTable table = new RoundTripTable(results(125));

    assertThat(table.ratioToJgroups(NetworkLayer.LOOKUP)).isEqualTo(1.25);
    assertThat(table.ratioToJgroups(NetworkLayer.SOCKET)).isEqualTo(0.5);
    assertThat(table.ratioToJgroups(NetworkLayer.JGROUPS)).isEqualTo(1);
  }

  @Test
  void eachLayerOfALookUpAddsItsShare() {
    List<Result> once =
        MICROS.entrySet().stream().map(e -> result(e.getKey(), 1, e.getValue())).toList();
    List<String> lines = new RoundTripTable(once).lines();

    assertThat(row(lines, NetworkLayer.SOCKET))
        .contains("50.0 to 50.0", " 100.0 ")
        .endsWith("40 %           ");
    assertThat(row(lines, NetworkLayer.EXCHANGE)).contains(" 25.0 ", " 20 %");
    assertThat(row(lines, NetworkLayer.READ))
        .contains("exchange", " 20.0 ", " 16 %")
        .endsWith("1.000");
    assertThat(row(lines, NetworkLayer.LOOKUP)).contains(" 30.0 ", " 24 %").endsWith("1.000");
    assertThat(
            Stream.of(
                NetworkLayer.JGROUPS, NetworkLayer.STACK, NetworkLayer.MESSAGES, NetworkLayer.CALL))
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
    Result asked = result(NetworkLayer.LOOKUP, 1, 80);
    Result local =
        new Result(NetworkLayer.LOOKUP, 2, new MessageSizes(9, 9), 1_000, 1, 1, 2, 3, 999, 0);
    Result socket =
        new Result(NetworkLayer.SOCKET, 1, new MessageSizes(9, 9), 1_000, 1, 1, 2, 3, 0, 0);

    assertThat(Stream.of(asked, socket)).allMatch(Result::isRemote);
    assertThat(local.isRemote()).isFalse();
  }
}
