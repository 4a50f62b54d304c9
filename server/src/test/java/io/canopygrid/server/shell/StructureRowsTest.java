package io.canopygrid.server.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Subtree;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.terminal.OutputFormat;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** The rows that show subtrees. */
final class StructureRowsTest {
  private static Subtree subtree(byte[] from, double reads, double writes) {
    return new Subtree(from, "vm1", 3, 40, 500, reads, writes, List.of());
  }

  /** The first words of the lines below the headings. */
  private static List<String> shown(
      String codec, List<Subtree> subtrees, BiConsumer<StructureRows, List<Subtree>> how) {
    StringWriter text = new StringWriter();
    how.accept(
        new StructureRows(new PrintWriter(text), OutputFormat.TABLE, TextCodec.of(codec, true)),
        subtrees);
    return text.toString().lines().skip(2).map(line -> line.strip().split(" +", -1)[0]).toList();
  }

  @Test
  void aShortenedSeparatorOfNumbersIsTheFirstOneFromThereOn() {
    byte[] whole = Codec.int64().encode(2_000L);
    byte[] shortened = Arrays.copyOf(Codec.int64().encode(1_792L), 7);
    assertThat(
            shown(
                "int64",
                List.of(subtree(new byte[0], 0, 0), subtree(shortened, 0, 0), subtree(whole, 0, 0)),
                StructureRows::shape))
        .containsExactly("(first)", "1792", "2000");
  }

  @Test
  void whatNoKeyBeginsWithIsShownAsBytes() {
    Codec<String> tuples = TextCodec.of("tuple(string,int64)", true);
    byte[] shortened = Arrays.copyOf(tuples.encode("a,5"), 4);
    assertThat(
            shown("tuple(string,int64)", List.of(subtree(shortened, 0, 0)), StructureRows::shape))
        .hasSize(1)
        .allMatch(text -> text.startsWith("0x"));
  }

  @Test
  void heatIsOrderedByLoadOfWhichAWriteIsMore() {
    StringWriter text = new StringWriter();
    new StructureRows(new PrintWriter(text), OutputFormat.TABLE, TextCodec.of("int64", true))
        .heat(
            List.of(
                subtree(Codec.int64().encode(1L), 120, 0),
                subtree(Codec.int64().encode(2L), 40, 60)));
    List<String> lines = text.toString().lines().skip(2).toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).strip().split(" +")).startsWith("2", "vm1", "0.7");
    assertThat(lines.get(1).strip().split(" +")).startsWith("1", "vm1", "0.3");
  }

  @Test
  void whatIsNotUsedHasNoShare() {
    StringWriter text = new StringWriter();
    new StructureRows(new PrintWriter(text), OutputFormat.TABLE, TextCodec.of("int64", true))
        .heat(List.of(subtree(Codec.int64().encode(1L), 1e-6, 1e-9)));
    assertThat(text.toString().lines().skip(2).findFirst().orElse("").strip().split(" +"))
        .startsWith("1", "vm1", "0.0", "0.0", "0.0");
  }
}
