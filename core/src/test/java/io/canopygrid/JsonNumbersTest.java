package io.canopygrid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON gives numbers back as they were, or refuses them. */
final class JsonNumbersTest {
  /** Numbers of types that cannot hold all of JSON's. */
  record Sizes(double wide, float narrow, long whole) {}

  @ParameterizedTest
  @ValueSource(strings = {"12345678901234567890.123456789", "1E+400", "1.50", "0.10", "-1E-400"})
  void fractionsWithoutATypeAreExact(String number) {
    Codec<?> maps = Codec.json(Map.class);
    byte[] json = ("{\"n\":" + number + "}").getBytes(UTF_8);
    assertThat(maps.decode(json)).isEqualTo(Map.of("n", new BigDecimal(number)));
    Codec<JsonNode> nodes = Codec.json(JsonNode.class);
    assertThat(nodes.encode(nodes.decode(json))).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"wide\":1e400}",
        "{\"wide\":1e-400}",
        "{\"wide\":9007199254740993}",
        "{\"wide\":0.1234567890123456789}",
        "{\"narrow\":16777217}",
        "{\"narrow\":1e39}",
        "{\"narrow\":0.1234567891}",
        "{\"whole\":1.5}",
        "{\"whole\":9223372036854775808}",
        "{\"whole\":1,\"whole\":2}"
      })
  void whatTheTypeCannotHoldIsRefused(String json) {
    Coded.assertCoded(
        ErrorCode.CODEC_FAILURE, () -> Codec.json(Sizes.class).decode(json.getBytes(UTF_8)));
  }

  @Test
  void floatsComeBackAndWhatIsAbsentIsZero() {
    Codec<Sizes> codec = Codec.json(Sizes.class);
    for (double d : new double[] {0, -0.0, 0.1, 2e23, Double.MIN_VALUE, Double.MAX_VALUE, 1e15}) {
      Sizes sizes = new Sizes(d, (float) d, (long) d);
      assertThat(codec.decode(codec.encode(sizes))).isEqualTo(sizes);
    }
    for (float f : new float[] {0.1f, Float.MIN_VALUE, Float.MAX_VALUE, Float.NaN}) {
      Sizes sizes = new Sizes(f, f, 0);
      assertThat(codec.decode(codec.encode(sizes))).isEqualTo(sizes);
    }
    assertThat(codec.decode("{}".getBytes(UTF_8))).isEqualTo(new Sizes(0, 0, 0));
  }
}
