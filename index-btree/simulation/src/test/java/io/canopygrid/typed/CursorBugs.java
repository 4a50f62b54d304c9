package io.canopygrid.typed;

import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.ResumeToken;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.protocol.Replacement;
import io.canopygrid.names.SnapshotNames;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Broken rules of cursors and their tokens. */
public final class CursorBugs {
  /** A token's cursor begins with the key that was handed out last. */
  public static final Replacement TOKEN_REPEATS = moved(range -> shifted(range, -1));

  /** A token's cursor leaves out a key. */
  public static final Replacement TOKEN_SKIPS = moved(range -> shifted(range, 1));

  /** A token has not seen anything. */
  public static final Replacement TOKEN_FORGETS =
      Replacement.returning(ResumeToken.class, "seen", CausalToken.NONE);

  /** A token means whichever snapshot has the name. */
  public static final Replacement ANY_OF_THE_NAME =
      Replacement.replacing(SnapshotNames.class, "exact", call -> call.argument(0, String.class));

  private CursorBugs() {}

  @SuppressWarnings("rawtypes") // the class of a generic type is raw
  private static Replacement moved(UnaryOperator<KeyRange> rest) {
    return Replacement.replacing(
        TypedCursor.class,
        "resumeToken",
        call -> {
          ResumeToken token = call.proceed(ResumeToken.class);
          return token.reverse()
              ? token
              : ResumeToken.of(
                  token.index(),
                  rest.apply(token.rest()),
                  false,
                  token.remaining(),
                  token.seen(),
                  token.snapshot());
        });
  }

  /** A range of numbers that begins with another one. */
  private static KeyRange shifted(KeyRange range, int by) {
    byte[] from = range.from();
    long begin = Codec.int64().decode(Arrays.copyOf(from, Long.BYTES));
    long first = from.length > Long.BYTES ? begin + 1 : begin;
    return KeyRange.of(Codec.int64().encode(first + by), range.to());
  }
}
