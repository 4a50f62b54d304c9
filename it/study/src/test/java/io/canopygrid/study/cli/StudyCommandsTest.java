package io.canopygrid.study.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Options that {@code canopy study} refuses before it starts anything. */
final class StudyCommandsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ablation --nodes=1         | nodes must be from 2 to 16: 1",
        "ablation --records=0       | records is out of range: 0",
        "ablation --variants=Sti    | variant must be one of",
        "ablation --workloads=Quick | workload must be one of",
        "ablation --heap=much       | much",
        "scale --nodes=0            | nodes must be from 1 to 1000: nodes=0",
        "scale --workload=Quick     | workload must be one of",
        "size --power=9             | power must be from 0 to 7: 9",
      })
  void aWrongOption(String words, String answer) {
    StringWriter err = new StringWriter();
    CommandLine line = new CommandLine(new StudyCommand());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setErr(new PrintWriter(err, true));

    assertThat(line.execute(words.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains("CNPY-3008").contains(answer);
  }
}
