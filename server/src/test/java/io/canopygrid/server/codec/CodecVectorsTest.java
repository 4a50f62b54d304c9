package io.canopygrid.server.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.Codec;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The codecs make the bytes that are written down for other languages. */
final class CodecVectorsTest {
  private static final HexFormat HEX = HexFormat.of();

  @Test
  void eachValueHasItsBytes() throws IOException {
    for (JsonNode codec : vectors()) {
      Codec<String> texts = TextCodec.of(codec.get("codec").asText(), true);
      for (JsonNode value : codec.get("values")) {
        String text = value.get("text").asText();
        byte[] bytes = HEX.parseHex(value.get("bytes").asText());
        assertThat(HEX.formatHex(texts.encode(text)))
            .as("%s %s", texts.id(), text)
            .isEqualTo(HEX.formatHex(bytes));
        assertThat(texts.decode(bytes)).as("%s", texts.id()).isEqualTo(text);
      }
    }
  }

  @Test
  void theValuesOfACodecStandInOrder() throws IOException {
    for (JsonNode codec : vectors()) {
      byte[] before = null;
      for (JsonNode value : codec.get("values")) {
        byte[] bytes = HEX.parseHex(value.get("bytes").asText());
        if (before != null) {
          assertThat(Arrays.compareUnsigned(before, bytes))
              .as("%s %s", codec.get("codec"), value.get("text"))
              .isNegative();
        }
        before = bytes;
      }
    }
  }

  @Test
  void eachCodecWithAnOrderHasSome() throws IOException {
    Set<String> missing = new HashSet<>(CodecNames.SIMPLE);
    missing.addAll(Set.of("tuple", "optional", "descending", "enum"));
    vectors().forEach(codec -> missing.remove(codec.get("codec").asText().replaceAll("\\(.*", "")));
    assertThat(missing).isEmpty();
  }

  private static JsonNode vectors() throws IOException {
    try (InputStream in = CodecVectorsTest.class.getResourceAsStream("codec-vectors.json")) {
      return new ObjectMapper().readTree(in);
    }
  }
}
