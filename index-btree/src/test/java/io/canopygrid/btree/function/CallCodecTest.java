package io.canopygrid.btree.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Mode;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.CommitId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls and answers survive their bytes, and bytes that are none are refused as such. */
@SuppressWarnings("StaticAssignmentOfThrowable") // they are values here, never thrown
final class CallCodecTest {
  private static final VectorClock CLOCK =
      VectorClock.of(new int[] {0, 3, 256}, new long[] {1, 200, 1L << 40});
  private static final NamedCall PLAIN = call(null, VectorClock.ZERO, 0);
  private static final NamedCall FULL =
      call(new NamedCall.Place(300, new byte[] {1, 2}), CLOCK, 64);
  private static final CallAnswer RESULT = new CallAnswer.Result(new byte[] {7, 8}, CLOCK, 3);
  private static final CanopyException CONFLICT =
      new CanopyException(
          ErrorCode.WRITE_CONFLICT,
          "the key has changed",
          CommitState.NOT_COMMITTED,
          "n1-7",
          null,
          Map.of("index", "things", "key", "5"));
  private static final CanopyException LOST =
      new CanopyException(ErrorCode.TIMEOUT, "", CommitState.UNKNOWN, null, null);

  /** All messages, by their bytes. */
  private static final List<byte[]> ALL =
      List.of(
          CallCodec.encode(PLAIN),
          CallCodec.encode(FULL),
          CallCodec.encode(RESULT),
          CallCodec.encode(new CallAnswer.Failure(CONFLICT)),
          CallCodec.encode(new CallAnswer.Failure(LOST)));

  private static CommitId name(int number) {
    return new CommitId(new UUID(-1, number), 1_790_000_000_000L, number, 17);
  }

  private static NamedCall call(
      NamedCall.@Nullable Place place, VectorClock after, int namesToForget) {
    Mode mode = place == null ? Mode.UPDATE : Mode.SERIALIZABLE;
    return new NamedCall(
        "canopy.add",
        new byte[] {4, 5, 6},
        place,
        new NamedCall.How(mode, ReadFrom.NEAREST, 10_000, "transfer", after),
        50,
        name(300),
        IntStream.range(0, namesToForget).mapToObj(CallCodecTest::name).toList());
  }

  /** The bytes have positions: a new constant goes to the end, another order is another version. */
  @Test
  void theOrderOfConstantsIsThatOfTheBytes() {
    assertThat(List.of(Mode.values()).toString()).isEqualTo("[READ_ONLY, UPDATE, SERIALIZABLE]");
    assertThat(List.of(ReadFrom.values()).toString()).isEqualTo("[PRIMARY, NEAREST]");
    assertThat(List.of(CommitState.values()).toString())
        .isEqualTo("[NOT_COMMITTED, COMMITTED, UNKNOWN]");
  }

  @Test
  void callsSurvive() {
    for (NamedCall call : List.of(PLAIN, FULL)) {
      assertThat(CallCodec.decodeCall(CallCodec.encode(call)))
          .usingRecursiveComparison()
          .isEqualTo(call);
    }
  }

  @Test
  void resultsSurvive() {
    assertThat(CallCodec.decodeAnswer(CallCodec.encode(RESULT)))
        .usingRecursiveComparison()
        .isEqualTo(RESULT);
  }

  @Test
  void errorsSurvive() {
    for (CanopyException error : List.of(CONFLICT, LOST)) {
      CanopyException copy = survivor(error);
      assertThat(copy.code()).isEqualTo(error.code());
      assertThat(copy.detail()).isEqualTo(error.detail());
      assertThat(copy.commitState()).isEqualTo(error.commitState());
      assertThat(copy.transactionId()).isEqualTo(error.transactionId());
      assertThat(copy.facts()).isEqualTo(error.facts());
      assertThat(copy.retryable()).isEqualTo(error.retryable());
    }
  }

  private static CanopyException survivor(CanopyException error) {
    CallAnswer answer = CallCodec.decodeAnswer(CallCodec.encode(new CallAnswer.Failure(error)));
    return ((CallAnswer.Failure) answer).error();
  }

  @Test
  void aCodeOfANewerReleaseIsAnInternalError() {
    ByteWriter out = NodeBytes.begin(32).writeByte(1).writeVarLong(9_999).writeVarLong(1);
    out.writeByte(0).writeText("news").writeVarLong(0);
    CallAnswer.Failure failure = (CallAnswer.Failure) CallCodec.decodeAnswer(out.toBytes());
    assertThat(failure.error().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
    assertThat(failure.error().detail()).isEqualTo("CNPY-9999: news");
    assertThat(failure.error().commitState()).isEqualTo(CommitState.COMMITTED);
  }

  @Test
  void anotherVersionIsRefused() {
    for (byte[] bytes : ALL) {
      byte[] other = bytes.clone();
      other[0] = NodeBytes.VERSION + 1;
      assertThat(refused(other)).contains("version 1, not 2");
    }
  }

  @Test
  void eachShorterMessageIsRefused() {
    for (byte[] bytes : ALL) {
      for (int length = 0; length < bytes.length; length++) {
        refused(Arrays.copyOf(bytes, length));
      }
    }
  }

  @Test
  void aLongerMessageIsRefused() {
    for (byte[] bytes : ALL) {
      assertThat(refused(Arrays.copyOf(bytes, bytes.length + 1))).isNotEmpty();
    }
  }

  /** Neither as a call nor as an answer. */
  private static String refused(byte[] bytes) {
    CanopyException call =
        catchThrowableOfType(CanopyException.class, () -> CallCodec.decodeCall(bytes));
    CanopyException answer =
        catchThrowableOfType(CanopyException.class, () -> CallCodec.decodeAnswer(bytes));
    assertThat(call.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    assertThat(answer.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    return call.detail();
  }

  @Test
  void spoiltBytesEndInNothingElse() {
    for (int seed = 0; seed < 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = ALL.get(random.nextInt(ALL.size())).clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt();
      }
      assertThatCode(() -> readOrRefuse(bytes)).as("seed %d", seed).doesNotThrowAnyException();
    }
  }

  private static void readOrRefuse(byte[] bytes) {
    for (Runnable read :
        List.<Runnable>of(() -> CallCodec.decodeCall(bytes), () -> CallCodec.decodeAnswer(bytes))) {
      try {
        read.run();
      } catch (CanopyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
      }
    }
  }
}
