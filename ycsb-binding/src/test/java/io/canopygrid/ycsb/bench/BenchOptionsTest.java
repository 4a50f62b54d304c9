package io.canopygrid.ycsb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Tests which options the benchmarks refuse before anything is started. */
final class BenchOptionsTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "micro, (, '(' is no regular expression",
        "micro, --forks=0, --forks must be from 1 to 100",
        "micro, --entries=-1, --entries must be from 1",
        "micro, --output=xml, expected one of [TABLE, JSON]",
        "memory, --entries=999, --entries must be from 1000",
        "memory, --value-bytes=-1, --value-bytes must be from 0",
        "memory, --per-commit=0, --per-commit must be from 1",
        "hotkey, --nodes=0, nodes must be from 1 to 16",
        "hotkey, --heap=much, heap must be a number",
        "hotkey, --clients=1, --clients is from 2 to 1024",
        "hotkey, --rounds=0, --rounds from 1 to 1000",
        "hotkey, --seconds=NaN, --seconds is above 0"
      })
  void aBadOptionIsAUsageError(String command, String argument, String message) {
    StringWriter err = new StringWriter();
    CommandLine line = new CommandLine(new BenchCommand());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setErr(new PrintWriter(err, true));

    assertThat(line.execute(command, argument)).isEqualTo(2);

    assertThat(err.toString()).contains(message);
  }
}
