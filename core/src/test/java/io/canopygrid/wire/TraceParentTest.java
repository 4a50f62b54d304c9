package io.canopygrid.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Places in traces by the W3C's Trace Context, section "traceparent Header". */
final class TraceParentTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";
  private static final String PARENT = "00-" + TRACE + "-" + SPAN + "-01";

  private static TraceParent parsed(String text) {
    return Objects.requireNonNull(TraceParent.parse(text), text);
  }

  @Test
  void aTextAndItsPartsAreTheSame() {
    TraceParent parent = parsed(PARENT);
    assertThat(parent).isEqualTo(new TraceParent(TRACE, SPAN, 1)).hasToString(PARENT);
    assertThat(parent.isSampled()).isTrue();
    assertThat(parsed("00-" + TRACE + "-" + SPAN + "-00").isSampled()).isFalse();
    assertThat(parsed("00-" + TRACE + "-" + SPAN + "-fe"))
        .hasToString(PARENT.replace("-01", "-fe"));
  }

  @Test
  void aLaterVersionIsReadAsTheFirst() {
    String later = "01" + PARENT.substring(2);
    assertThat(parsed(later)).hasToString(PARENT);
    assertThat(parsed(later + "-what-the-future-will-be-like")).hasToString(PARENT);
    assertThat(TraceParent.parse(later + "x")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-011",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
        "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "0x-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0\u0661"
      })
  void anyOtherTextIsIgnored(String text) {
    assertThat(TraceParent.parse(text)).isNull();
  }
}
