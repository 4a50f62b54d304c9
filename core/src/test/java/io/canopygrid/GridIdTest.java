package io.canopygrid;

import static io.canopygrid.Coded.assertCoded;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a grid's id. */
final class GridIdTest {
  @Test
  void isReadAsItWasWritten() {
    Set<String> texts = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      GridId id = GridId.random();
      assertThat(id.toString()).matches("[0-7][0-9a-hjkmnp-tv-z]{25}");
      assertThat(GridId.parse(id.toString())).isEqualTo(id);
      texts.add(id.toString());
    }
    assertThat(texts).hasSize(1_000);
  }

  @Test
  void hasAllBits() {
    assertThat(new GridId(-1, -1)).hasToString("7zzzzzzzzzzzzzzzzzzzzzzzzz");
    assertThat(new GridId(0, 0)).hasToString("00000000000000000000000000");
    assertThat(new GridId(0, 1)).hasToString("00000000000000000000000001");
    assertThat(new GridId(1, 0)).hasToString("0000000000000g000000000000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "8zzzzzzzzzzzzzzzzzzzzzzzzz",
        "0000000000000000000000000l",
        "000000000000000000000000000",
        "0000000000000000000000000é"
      })
  void anythingElseIsRefused(String text) {
    assertCoded(ErrorCode.INVALID_ARGUMENT, () -> GridId.parse(text), "26");
  }
}
