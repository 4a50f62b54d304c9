package io.canopygrid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A covering index hands out the part of the row that it was declared with. */
final class CoveringTest {
  private static final Covering<String, String> FIRST_WORD =
      Covering.of(Codec.string(), row -> row.split(" ", -1)[0]);
  private static final Covering<String, Integer> LENGTH =
      Covering.of(Codec.int32(), String::length);
  private static final IndexDefinition<String, Integer> PLAIN =
      IndexDefinition.of("length", Codec.int32(), String::length);
  private static final IndexDefinition<String, Integer> COVERING = PLAIN.covering(FIRST_WORD);

  private static IndexEntry<Integer, Long> entry(
      IndexDefinition<String, Integer> definition, String row) {
    return definition.entry(row.length(), 7L, definition.coveredOf(row));
  }

  @Test
  void anEntryHasThePart() {
    assertThat(entry(COVERING, "Ada Lovelace").covered(FIRST_WORD)).isEqualTo("Ada");
    assertThat(entry(PLAIN.covering(LENGTH).unique(), "Ada").covered(LENGTH)).isEqualTo(3);
  }

  @Test
  void theBytesAreThoseOfTheCodecAlone() {
    assertThat(COVERING.coveredOf("Ada Lovelace")).isEqualTo(Codec.string().encode("Ada"));
    assertThat(PLAIN.coveredOf("Ada Lovelace")).isEmpty();
  }

  @Test
  void theCodecIsPartOfTheSignature() {
    assertThat(COVERING.signature())
        .isEqualTo(Codec.int32().id() + "|many|" + Codec.string().id() + "|0");
    assertThat(PLAIN.signature()).isEqualTo(Codec.int32().id() + "|many||0");
  }

  @Test
  void aPartOfAnotherCodecIsRefused() {
    Coded.assertCoded(
        ErrorCode.INVALID_ARGUMENT, () -> entry(COVERING, "Ada Lovelace").covered(LENGTH));
    Coded.assertCoded(
        ErrorCode.INVALID_ARGUMENT, () -> entry(PLAIN, "Ada Lovelace").covered(FIRST_WORD));
  }

  @Test
  void whateverACodecThrowsIsCoded() {
    Covering<String, UUID> broken = Covering.of(new Broken(), row -> new UUID(0, 0));
    IndexEntry<Integer, Long> entry = entry(PLAIN.covering(broken), "Ada");
    Coded.assertCoded(ErrorCode.CODEC_FAILURE, () -> entry.covered(broken));
  }

  @Test
  void entriesAreEqualByContent() {
    assertThat(entry(COVERING, "Ada Lovelace"))
        .isEqualTo(entry(COVERING, "Ada Lovelace"))
        .hasSameHashCodeAs(entry(COVERING, "Ada Lovelace"))
        .isNotEqualTo(entry(COVERING, "Abe Lovelace"));
  }

  private static final class Broken implements Codec<UUID> {
    @Override
    public String id() {
      return "broken";
    }

    @Override
    public boolean ordered() {
      return false;
    }

    @Override
    public byte[] encode(UUID value) {
      return new byte[1];
    }

    @Override
    public UUID decode(byte[] bytes) {
      throw new IllegalStateException("broken");
    }
  }
}
