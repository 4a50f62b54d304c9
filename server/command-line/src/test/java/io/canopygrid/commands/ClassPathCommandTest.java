package io.canopygrid.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class ClassPathCommandTest {
  @Test
  void theClassPathAndNothingElseIsPrinted() {
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new ClassPathCommand());
    line.setOut(new PrintWriter(out));

    assertThat(line.execute()).isZero();
    assertThat(out).hasToString(System.getProperty("java.class.path") + System.lineSeparator());
  }
}
