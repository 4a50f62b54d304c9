package io.canopygrid.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class VerifyCommandTest {
  private static final String HEADER =
      "{'canopy_history':1,'workload':'list-append','seed':42,'nodes':['n1','n2'],'owners':2,"
          + "'version':'abc','fault':'none','started':'2026-01-01T00:00:00Z'}";

  /** Two updates, and two readers that see them in different order. */
  private static final String FORK =
      HEADER
          + txn(0, 1, "['append','x',1]", "['append','x',1]")
          + txn(2, 2, "['append','y',1]", "['append','y',1]")
          + txn(4, 3, "['r','x',null],['r','y',null]", "['r','x',[1]],['r','y',[]]")
          + txn(6, 4, "['r','x',null],['r','y',null]", "['r','x',[]],['r','y',[1]]");

  private static final String HALF =
      HEADER
          + txn(0, 1, "['append','x',1],['append','y',1]", "['append','x',1],['append','y',1]")
          + txn(2, 2, "['r','x',null],['r','y',null]", "['r','x',[1]],['r','y',[]]");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private static String txn(int index, int process, String asked, String done) {
    return event(index, process, "invoke", asked) + event(index + 1, process, "ok", done);
  }

  private static String event(int index, int process, String type, String value) {
    return "\n{'index':%d,'time':%d,'process':%d,'type':'%s','f':'txn','value':[%s]}"
        .formatted(index, 1_000 * index, process, type, value);
  }

  private int verify(String text, String... options) throws IOException {
    Path file = Files.writeString(directory.resolve("history.jsonl"), text.replace('\'', '"'));
    return run(file.toString(), options);
  }

  private int run(String file, String... options) {
    String[] arguments = new String[options.length + 1];
    System.arraycopy(options, 0, arguments, 0, options.length);
    arguments[options.length] = file;
    return new CommandLine(new VerifyCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void acceptsALongForkUnlessAskedForSerializability() throws IOException {
    assertThat(verify(FORK)).isEqualTo(VerifyCommand.VALID);
    assertThat(out.toString())
        .contains("verdict       VALID", "4 committed (2 of them updates), 0 failed");

    assertThat(verify(FORK, "--model", "serializable")).isEqualTo(VerifyCommand.INVALID);
    assertThat(out.toString()).contains("verdict       INVALID", "1 × long fork", "-rw y->");
  }

  @Test
  void tellsAnAnomalyToAProgram() throws IOException {
    assertThat(verify(HALF, "--output", "json")).isEqualTo(VerifyCommand.INVALID);
    assertThat(out.toString())
        .contains("\"verdict\":\"invalid\"", "\"anomalies\":{\"half_commit\":1}", "T2 (read-only");
  }

  @Test
  void doesNotKnowWhereNothingWasCommitted() throws IOException {
    assertThat(verify(HEADER)).isEqualTo(VerifyCommand.UNKNOWN);
    assertThat(out.toString()).contains("UNKNOWN: no transaction was committed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "not json                                              | line 1: not JSON",
        "[]                                                    | header object",
        "{'canopy_history':2,'workload':'list-append'}         | canopy_history must be 1",
        "{'canopy_history':1,'workload':'bank'}                | workload must be",
        "{'canopy_history':'x'}                                | line 1",
        "{'canopy_history':1,'workload':'list-append'} {'index':0 | line 1: not JSON",
      })
  void refusesWhatIsNoHistory(String text, String message) throws IOException {
    assertThat(verify(text)).isEqualTo(VerifyCommand.BAD_INPUT);
    assertThat(err.toString()).contains("CNPY-3008", "history.jsonl", message);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void refusesAFileThatIsNotThereAndAModelThatIsUnknown() throws IOException {
    assertThat(run(directory.resolve("none").toString())).isEqualTo(VerifyCommand.BAD_INPUT);
    assertThat(err.toString()).contains("CNPY-3008", "there is no file that can be read");

    assertThat(verify(FORK, "--model", "eventual")).isEqualTo(VerifyCommand.BAD_INPUT);
    assertThat(err.toString()).contains("must be one of", "serializable");
  }
}
