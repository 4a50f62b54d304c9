package io.canopygrid.server.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.server.terminal.Printable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Scripts and lines of the shell, and the texts that go to a terminal. */
final class ShellInputTest {
  /** A command without options and one with. */
  @Command(name = "")
  static final class Two {
    @Command(name = "put")
    void put() {}

    @Command(name = "scan")
    void scan(
        @Option(names = "--limit") long limit, @Option(names = "--reverse") boolean reverse) {}
  }

  private static ScriptReader script(String text, Charset charset) {
    return new ScriptReader(new ByteArrayInputStream(text.getBytes(charset)));
  }

  @Test
  void aStatementGoesOnWhereAQuoteIsOpen() throws IOException {
    ScriptReader in = script("\uFEFFone\r\n\nput a 'x\ny'\nlast", StandardCharsets.UTF_8);
    assertThat(in.next()).isEqualTo("one");
    assertThat(in.next()).isEmpty();
    assertThat(in.next()).isEqualTo("put a 'x\ny'");
    assertThat(in.line()).isEqualTo(3);
    assertThat(in.next()).isEqualTo("last");
    assertThat(in.next()).isNull();
  }

  @Test
  void brokenScriptsAreRefusedWithTheirPlace() {
    ScriptReader latin = script("put a \u00e9\n", StandardCharsets.ISO_8859_1);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(latin::next)
        .withMessageContaining("line 1, column 7");
    ScriptReader open = script("put a 'x\ny", StandardCharsets.UTF_8);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(open::next)
        .withMessageContaining("line 1");
  }

  @Test
  void keysMayBeginWithAMinus() {
    CommandLine line = new CommandLine(new Two());
    assertThat(ShellWords.arguments(line, List.of("put", "i", "-5", "--x")))
        .containsExactly("put", "--", "i", "-5", "--x");
    assertThat(ShellWords.arguments(line, List.of("scan", "i", "-5", "--limit", "3", "--reverse")))
        .containsExactly("scan", "--limit", "3", "--reverse", "--", "i", "-5");
    assertThat(ShellWords.arguments(line, List.of("scan", "i", "--", "--limit")))
        .containsExactly("scan", "--", "i", "--limit");
    assertThat(ShellWords.arguments(line, List.of("scan", "i", "--limt")))
        .containsExactly("scan", "--limt", "--", "i");
  }

  @Test
  void whatSteersATerminalIsEscaped() {
    assertThat(Printable.line("a\u001b[2J\n\u202eb\u009bc\u00e9"))
        .isEqualTo("a\\u001b[2J\\n\\u202eb\\u009bc\u00e9");
    assertThat(Printable.lines("a\nb\u0007")).isEqualTo("a\nb\\u0007");
  }
}
