package io.canopygrid.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Options that {@code canopy bench roundtrip} refuses before it starts anything. */
final class RoundTripCommandTest {
  @ParameterizedTest
  @CsvSource({
    "--rounds=0, --rounds is from 1 to 1000",
    "--seconds=0, --seconds is above 0",
    "--seconds=NaN, --seconds is above 0",
    "--warmup=-1, --warmup is above 0",
    "--keys=10, --keys is from 1000 to 1000000",
    "--heap=much, heap must be a number"
  })
  void aWrongOption(String option, String words) {
    StringWriter err = new StringWriter();
    CommandLine line = new CommandLine(new RoundTripCommand());
    line.setErr(new PrintWriter(err, true));

    assertThat(line.execute(option)).isEqualTo(2);
    assertThat(err.toString()).contains(words);
  }
}
