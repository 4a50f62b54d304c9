package io.canopygrid.server.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Subtree;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.wire.client.HotEntry;
import io.canopygrid.wire.client.HotNode;
import io.canopygrid.wire.client.Reply;
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

  private static List<String> hot(OutputFormat output, HotNode.Mode mode, HotEntry... entries) {
    StringWriter text = new StringWriter();
    HotNode node = new HotNode("vm1", mode, entries.length, 2, 300, 4);
    new StructureRows(new PrintWriter(text), output, TextCodec.of("int64", true))
        .hotEntries(new Reply.HotEntries(List.of(node), List.of(entries), 0));
    return text.toString().lines().toList();
  }

  @Test
  void hotEntriesHaveTheirCopies() {
    HotEntry entry =
        new HotEntry(7, Codec.int64().encode(42L), "vm1", 900, 850.55, List.of("vm2", "vm3"));
    List<String> lines = hot(OutputFormat.TABLE, HotNode.Mode.ON, entry);
    assertThat(lines.get(0)).isEqualTo("One entry is hot.");
    assertThat(lines.get(3).strip().split(" +"))
        .startsWith("42", "vm1", "900.0", "850.6", "[vm2,", "vm3]");
    assertThat(lines.get(lines.size() - 1).strip().split(" +"))
        .containsExactly("vm1", "on", "1", "2", "300", "4");
    assertThat(hot(OutputFormat.JSON, HotNode.Mode.ON, entry))
        .containsExactly(
            "{\"hot\":\"42\",\"node\":\"vm1\",\"reads\":900.0,\"copyReads\":850.6,"
                + "\"copies\":[\"vm2\",\"vm3\"]}",
            "{\"hotNode\":\"vm1\",\"mode\":\"on\",\"hotKeys\":1,\"copies\":2,\"copyReads\":300,"
                + "\"pushes\":4}");
  }

  @Test
  void whereTheyAreOffOneLineSaysHowToTurnThemOn() {
    assertThat(hot(OutputFormat.TABLE, HotNode.Mode.OFF))
        .hasSize(1)
        .allMatch(line -> line.contains("balance.hotEntries to auto"));
    assertThat(hot(OutputFormat.JSON, HotNode.Mode.OFF)).isEmpty();
  }
}
