package io.canopygrid.server.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how typed lines are cut into words. */
final class CommandWordsTest {
  @Test
  void atSpacesAndSemicolons() {
    assertThat(CommandWords.commands(" put a 1 ;; get  a;"))
        .isEqualTo(List.of(List.of("put", "a", "1"), List.of("get", "a")));
    assertThat(CommandWords.commands(" ; ")).isEmpty();
  }

  @Test
  void notInQuotes() {
    assertThat(CommandWords.commands("put a 'x; \"y\"' \"it's\" ''"))
        .isEqualTo(List.of(List.of("put", "a", "x; \"y\"", "it's", "")));
  }

  @Test
  void aQuoteWithoutEndIsRefused() {
    CanopyException e =
        catchThrowableOfType(CanopyException.class, () -> CommandWords.commands("put a 'b"));
    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }
}
