package io.canopygrid;

import static io.canopygrid.Coded.assertCoded;
import static io.canopygrid.Coded.nothing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.wire.ByteWriter;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Causal and resume tokens: what was written is read, anything else is refused with a code. */
final class TokenTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void readWhatWasWritten(long seed) {
    Draw draw = new Draw(seed);
    for (int i = 0; i < 2_000; i++) {
      CausalToken causal = causal(draw);
      assertThat(CausalToken.fromBytes(causal.toBytes()))
          .as("seed=%d", seed)
          .isEqualTo(causal)
          .hasSameHashCodeAs(causal);
      assertThat(CausalToken.parse(causal.toString())).as("seed=%d", seed).isEqualTo(causal);
      ResumeToken resume = resume(draw);
      assertThat(ResumeToken.fromBytes(resume.toBytes()))
          .as("seed=%d", seed)
          .isEqualTo(resume)
          .hasSameHashCodeAs(resume);
      assertThat(ResumeToken.parse(resume.toString())).as("seed=%d", seed).isEqualTo(resume);
    }
  }

  /** One changed byte, a cut or an addition is always found, by the checksum. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void damageIsRefused(long seed) {
    Draw draw = new Draw(seed);
    for (int i = 0; i < 5_000; i++) {
      requireRefused(seed, damaged(draw, causal(draw).toBytes()), CausalToken::fromBytes);
      requireRefused(seed, damaged(draw, resume(draw).toBytes()), ResumeToken::fromBytes);
    }
  }

  /** Behind a right checksum any bytes are the one form of a token, or refused. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void malformedBodiesAreRefused(long seed) {
    Draw draw = new Draw(seed);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      ByteWriter body = new ByteWriter(32).writeRaw(smallBytes(draw));
      byte[] causal = TokenBytes.seal(TokenBytes.CAUSAL, body);
      byte[] resume = TokenBytes.seal(TokenBytes.RESUME, body);
      read += requireSameOrRefused(seed, causal, b -> CausalToken.fromBytes(b).toBytes());
      requireCoded(seed, resume, ResumeToken::fromBytes);
    }
    assertThat(read).as("seed=%d: some are tokens", seed).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anyBytesAndTextAreRefused(long seed) {
    Draw draw = new Draw(seed);
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = draw.bytes(draw.below(40));
      requireRefused(seed, bytes, CausalToken::fromBytes);
      requireRefused(seed, bytes, ResumeToken::fromBytes);
    }
    assertCoded(ErrorCode.INVALID_TOKEN, () -> CausalToken.parse("not a token!"), "causal token");
    assertCoded(ErrorCode.INVALID_TOKEN, () -> ResumeToken.parse(""), "resume token");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> CausalToken.fromBytes(nothing()));
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> ResumeToken.parse(nothing()));
  }

  @Test
  void oneKindIsNotTheOther() {
    assertCoded(
        ErrorCode.INVALID_TOKEN,
        () -> ResumeToken.fromBytes(CausalToken.NONE.toBytes()),
        "not a resume token");
  }

  @Test
  void aClockOfManyShardsIsReadAndOneBeyondTheLimitRefused() {
    VectorClock clock = VectorClock.ZERO;
    for (int shard = 0; shard < 4_097; shard++) {
      clock = clock.with(shard, 1L << 50);
    }
    CausalToken token = CausalToken.of(clock);
    assertThat(CausalToken.fromBytes(token.toBytes())).isEqualTo(token);
    CausalToken tooFar = CausalToken.of(VectorClock.ZERO.with((1 << 16) + 1, 1));
    assertCoded(ErrorCode.INVALID_TOKEN, () -> CausalToken.fromBytes(tooFar.toBytes()));
  }

  @Test
  void joiningHasSeenWhatBothHave() {
    CausalToken a = CausalToken.of(VectorClock.ZERO.with(1, 5).with(2, 1));
    CausalToken b = CausalToken.of(VectorClock.ZERO.with(2, 7));
    assertThat(a.join(b).clock()).isEqualTo(VectorClock.ZERO.with(1, 5).with(2, 7));
    assertThat(CausalToken.NONE.join(CausalToken.NONE)).isSameAs(CausalToken.NONE);
  }

  @Test
  void aTokenIsOfOneGrid() {
    GridId here = GridId.random();
    GridId there = GridId.random();
    VectorClock clock = VectorClock.ZERO.with(3, 9);
    CausalToken token = CausalToken.of(here, clock);
    token.checkOf(here);
    CausalToken.NONE.checkOf(here);
    CausalToken.NONE.checkOf(null);
    assertThat(token.grid()).contains(here);
    assertThat(CausalToken.parse(token.toString()).grid()).contains(here);
    assertCoded(ErrorCode.INVALID_TOKEN, () -> token.checkOf(there), "grid " + here);
    assertCoded(ErrorCode.INVALID_TOKEN, () -> token.checkOf(null));
    assertCoded(ErrorCode.INVALID_TOKEN, () -> CausalToken.of(clock).checkOf(here));
    assertCoded(
        ErrorCode.INVALID_TOKEN, () -> token.join(CausalToken.of(there, clock)), "two grids");
    assertCoded(ErrorCode.INVALID_TOKEN, () -> token.join(CausalToken.of(clock)));
    assertThat(token.join(CausalToken.NONE)).isEqualTo(token);
    assertThat(CausalToken.NONE.join(token)).isEqualTo(token);
    assertThat(token).isNotEqualTo(CausalToken.of(there, clock));
  }

  @Test
  void aTokenThatHasSeenNothingIsOfItsGridToo() {
    CausalToken fresh = CausalToken.of(GridId.random(), VectorClock.ZERO);
    assertCoded(ErrorCode.INVALID_TOKEN, () -> fresh.checkOf(GridId.random()));
    ResumeToken position =
        ResumeToken.of("a", KeyRange.ALL, false, ResumeToken.NO_LIMIT, fresh, "night@1");
    TransactionOptions elsewhere =
        TransactionOptions.DEFAULTS.withAfter(
            CausalToken.of(GridId.random(), VectorClock.ZERO.with(1, 1)));
    assertCoded(ErrorCode.INVALID_TOKEN, () -> elsewhere.resuming(position));
    assertThat(TransactionOptions.DEFAULTS.resuming(position).after()).isEqualTo(fresh);
  }

  /** As the release before wrote them, which knew no grids. */
  @ParameterizedTest
  @ValueSource(ints = {TokenBytes.CAUSAL, TokenBytes.RESUME})
  void tokensOfAFormerReleaseAreRefusedWithTheReason(int kind) {
    byte[] old = TokenBytes.seal(kind - 1, new ByteWriter(8).writeVarLong(0));
    assertCoded(
        ErrorCode.INVALID_TOKEN,
        () -> {
          var unused =
              kind == TokenBytes.CAUSAL ? CausalToken.fromBytes(old) : ResumeToken.fromBytes(old);
        },
        "former release");
  }

  @Test
  void aPositionHasNoNegativeRest() {
    assertCoded(
        ErrorCode.INVALID_ARGUMENT,
        () -> ResumeToken.of("a", KeyRange.ALL, false, -1, CausalToken.NONE, ""));
  }

  private static CausalToken causal(Draw draw) {
    VectorClock clock = VectorClock.ZERO;
    for (int i = draw.below(5); i > 0; i--) {
      clock = clock.with(draw.below(2 << draw.below(12)), Math.max(1, draw.int64() >>> 1));
    }
    GridId grid = draw.below(4) == 0 ? null : new GridId(draw.int64(), draw.int64());
    return CausalToken.of(grid, clock);
  }

  private static ResumeToken resume(Draw draw) {
    KeyRange rest = KeyRange.of(draw.bytes(), draw.bool() ? null : draw.bytes());
    long remaining = draw.bool() ? ResumeToken.NO_LIMIT : draw.int64() >>> 1;
    String snapshot = draw.bool() ? "" : "night@" + draw.below(9);
    return ResumeToken.of(
        "i" + draw.below(99), rest, draw.bool(), remaining, causal(draw), snapshot);
  }

  private static byte[] smallBytes(Draw draw) {
    byte[] bytes = new byte[draw.below(8)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = draw.below(8) == 0 ? draw.bytes(1)[0] : (byte) draw.below(4);
    }
    return bytes;
  }

  private static byte[] damaged(Draw draw, byte[] bytes) {
    byte[] result = Arrays.copyOf(bytes, bytes.length + draw.below(3) - 1);
    int at = draw.below(result.length);
    result[at] ^= (byte) (1 + draw.below(255));
    return result;
  }

  private static void requireRefused(long seed, byte[] bytes, Function<byte[], ?> reader) {
    if (requireCoded(seed, bytes, reader)) {
      fail("seed=%d: read as a token: %s", seed, Arrays.toString(bytes));
    }
  }

  private static boolean requireCoded(long seed, byte[] bytes, Function<byte[], ?> reader) {
    try {
      var unused = reader.apply(bytes);
      return true;
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.INVALID_TOKEN) {
        fail("seed=%d: another error for %s".formatted(seed, Arrays.toString(bytes)), e);
      }
      return false;
    }
  }

  private static int requireSameOrRefused(
      long seed, byte[] bytes, Function<byte[], byte[]> rewritten) {
    if (!requireCoded(seed, bytes, rewritten)) {
      return 0;
    }
    assertThat(rewritten.apply(bytes)).as("seed=%d", seed).isEqualTo(bytes);
    return 1;
  }
}
