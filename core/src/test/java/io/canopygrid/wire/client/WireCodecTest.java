package io.canopygrid.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.MalformedBytesException;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every message's bytes are those of the file of test vectors, and nothing else is read. */
final class WireCodecTest {
  @Test
  void everyTypeHasASample() {
    Set<MessageType> types = EnumSet.noneOf(MessageType.class);
    Samples.all().values().forEach(message -> types.add(MessageType.of(message)));
    assertThat(types).containsExactlyInAnyOrder(MessageType.values());
  }

  /** Vectors.main writes the file after a change that is meant. */
  @Test
  void messagesAreTheBytesOfTheVectors() throws IOException {
    assertThat(Vectors.lines(Vectors.stored())).isEqualTo(Vectors.lines(Vectors.ofSamples()));
  }

  @Test
  void theBytesOfTheVectorsAreTheMessages() throws IOException {
    for (JsonNode vector : Vectors.stored()) {
      byte[] frame = HexFormat.of().parseHex(vector.get("frame").asText());
      WireCodec.Framed framed = WireCodec.decode(body(frame));
      String name = vector.get("name").asText();
      assertThat(framed.stream()).as(name).isEqualTo(vector.get("stream").asInt());
      assertThat(Vectors.describe(framed.message()).toString())
          .as(name)
          .isEqualTo(vector.get("message").toString());
      assertThat(WireCodec.encode(framed.stream(), framed.message())).as(name).isEqualTo(frame);
    }
  }

  @Test
  void aFrameThatIsCutOrTooLongIsRefused() {
    for (Map.Entry<String, ClientMessage> sample : Samples.all().entrySet()) {
      byte[] body = body(WireCodec.encode(1, sample.getValue()));
      for (int length = 0; length < body.length; length++) {
        byte[] cut = Arrays.copyOf(body, length);
        assertThatExceptionOfType(MalformedBytesException.class)
            .as("%s cut to %d bytes", sample.getKey(), length)
            .isThrownBy(() -> WireCodec.decode(cut));
      }
      assertThatExceptionOfType(MalformedBytesException.class)
          .as("%s and a byte", sample.getKey())
          .isThrownBy(() -> WireCodec.decode(Arrays.copyOf(body, body.length + 1)));
    }
  }

  @Test
  void theLengthOfAFrameIsBounded() {
    assertThat(WireCodec.checkedLength(5, 100)).isEqualTo(5);
    assertThat(WireCodec.checkedLength(100, 100)).isEqualTo(100);
    for (int wrong : new int[] {4, 0, -1, 101, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatExceptionOfType(MalformedBytesException.class)
          .isThrownBy(() -> WireCodec.checkedLength(wrong, 100));
    }
  }

  @Test
  void errorsAreTheSameOnTheOtherSide() {
    CanopyException error =
        new CanopyException(
            ErrorCode.WRITE_CONFLICT,
            "key 1 was written",
            CommitState.NOT_COMMITTED,
            "n1-2",
            null,
            Map.of("index", "accounts", "key", "1"));
    CanopyException there = Reply.Failure.of(error).toException();
    assertThat(there).hasMessage(error.getMessage());
    assertThat(there.code()).isEqualTo(ErrorCode.WRITE_CONFLICT);
    assertThat(there.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
    assertThat(there.retryable()).isTrue();
    assertThat(there.transactionId()).isEqualTo("n1-2");
    assertThat(there.facts()).isEqualTo(error.facts());
  }

  @Test
  void anErrorOfANewerReleaseKeepsItsNumber() {
    CanopyException there =
        new Reply.Failure(7777, false, CommitState.UNKNOWN, null, "new", List.of()).toException();
    assertThat(there.code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
    assertThat(there.detail()).isEqualTo("CNPY-7777: new");
    assertThat(there.commitState()).isEqualTo(CommitState.UNKNOWN);
  }

  static byte[] body(byte[] frame) {
    return Arrays.copyOfRange(frame, WireCodec.LENGTH_BYTES, frame.length);
  }
}
