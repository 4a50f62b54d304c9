package io.canopygrid.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    TextTable table = new TextTable(List.of("name", "n", "value"));
    table.add(List.of("a", "1000", ""));
    table.add(List.of("longer", "1", "x"));

    assertThat(table.lines())
        .containsExactly(
            "name       n  value",
            "-------------------",
            "a       1000       ",
            "longer     1      x");
  }

  @Test
  void aRowOfAnotherWidthIsRefused() {
    TextTable table = new TextTable(List.of("a", "b"));

    assertThatThrownBy(() -> table.add(List.of("1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 cells");
  }
}
