package io.canopygrid.ycsb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Tests which options are refused before anything is started. */
final class YcsbCommandTest {
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --workloads | g | 'g' is no workload
          --workloads | a/x | 'x' in 'a/x' is no number of threads
          --nodes | 0 | nodes must be from 1 to 16
          --nodes | three | Invalid value for option '--nodes'
          --records | 0 | records must be from 1
          --operations | -1 | operations must be from 0
          --seconds | 0 | seconds must be above 0
          --seconds | NaN | seconds must be above 0
          --warmup | -3 | warmup must be above 0
          --threads | 0 | threads must be from 1 to 1024
          --rounds | 0 | rounds must be from 1 to 1000
          --heap | much | heap must be a number and k, m or g
          --output | xml | expected one of [LINES, JSON, TABLE]
          --frobnicate | 1 | Unknown option
          """)
  void aBadOptionIsAUsageError(String option, String value, String message) {
    assertThat(run(option, value)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void helpTellsTheFieldsOfAResult() {
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new YcsbCommand());

    line.usage(new PrintWriter(out, true));

    assertThat(out.toString())
        .contains(
            "cpu_us",
            "read_p999",
            "remote_requests_per_tx",
            "aborts",
            "redirects",
            "--nodes",
            "a/1");
  }

  private int run(String... args) {
    CommandLine line = new CommandLine(new YcsbCommand());
    line.setErr(new PrintWriter(err, true));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    return line.execute(args);
  }
}
