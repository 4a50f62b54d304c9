package io.canopygrid.ycsb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What is refused before anything is measured. */
final class MicroCommandTest {
  @ParameterizedTest
  @CsvSource(quoteCharacter = '"', value = {
    "(, '(' is no regular expression",
    "--forks=0, --forks must be from 1 to 100",
    "--entries=-1, --entries must be from 1",
    "--output=xml, expected one of [TABLE, JSON]"
  })
  void aBadOptionIsAUsageError(String argument, String message) {
    StringWriter err = new StringWriter();
    CommandLine line = new CommandLine(new MicroCommand());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setErr(new PrintWriter(err, true));

    assertThat(line.execute(argument)).isEqualTo(2);

    assertThat(err.toString()).contains(message);
  }
}
