package io.canopygrid;

import org.jspecify.annotations.Nullable;

/**
 * A call to {@linkplain Canopy#execute execute}: a function by its name, its arguments, and the
 * place that decides where it runs. Immutable, and thread-safe if the place's key is.
 *
 * <pre>{@code
 * byte[] now = db.execute(FunctionCall.of("withdraw", Codec.int64(), 30L).at(accounts, 1L));
 * }</pre>
 */
public final class FunctionCall {
  private final String function;
  private final byte[] arguments;
  private final @Nullable At<?> at;

  private FunctionCall(String function, byte[] arguments, @Nullable At<?> at) {
    this.function = function;
    this.arguments = arguments;
    this.at = at;
  }

  /** A key, or the lowest one of a range, of an index. */
  private record At<K>(Index<K, ?> index, @Nullable K key, @Nullable Range<K> range) {
    void tell(PlaceReader reader) {
      reader.place(index, key, range);
    }
  }

  /** Gets the place of a call, for implementations of {@link Canopy}. */
  public interface PlaceReader {
    /** Called where the call has a place: either the key or the range is not null. */
    <K> void place(Index<K, ?> index, @Nullable K key, @Nullable Range<K> range);
  }

  /**
   * A call with these arguments, and without a place: it runs at any node.
   *
   * @param function as it was registered
   * @param arguments at most {@link Limits#ARGUMENT_BYTES_MAX} bytes, which are kept
   * @throws CanopyException {@link ErrorCode#NULL_NOT_ALLOWED}, {@link ErrorCode#INVALID_ARGUMENT}
   */
  public static FunctionCall of(String function, byte[] arguments) {
    Arguments.notNull("the name of a function", function);
    Arguments.notNull("the arguments of a function", arguments);
    Arguments.inRange("the length of arguments", arguments.length, 0, Limits.ARGUMENT_BYTES_MAX);
    return new FunctionCall(function, arguments, null);
  }

  /** The same with a value that a codec makes bytes. */
  public static <A> FunctionCall of(String function, Codec<A> codec, A argument) {
    Arguments.notNull("the codec of the argument", codec);
    Arguments.notNull("the argument of a function", argument);
    return of(function, codec.encode(argument));
  }

  /**
   * The same call, at the node that has this key. The function reads and writes what it likes; what
   * is with the key, in one subtree, costs no request there. Calls of functions that read the entry
   * of the key take turns: each sees what the one before has written.
   */
  public <K> FunctionCall at(Index<K, ?> index, K key) {
    Arguments.notNull("the index of a place", index);
    Arguments.notNull("the key of a place", key);
    return new FunctionCall(function, arguments, new At<>(index, key, null));
  }

  /** The same call, at the node that has the beginning of this range. */
  public <K> FunctionCall at(Index<K, ?> index, Range<K> range) {
    Arguments.notNull("the index of a place", index);
    Arguments.notNull("the range of a place", range);
    return new FunctionCall(function, arguments, new At<>(index, null, range));
  }

  /** The name of the function. */
  public String function() {
    return function;
  }

  /** The arguments, not to be changed. */
  public byte[] arguments() {
    return arguments;
  }

  /** Tells the place, where there is one. */
  public void place(PlaceReader reader) {
    if (at != null) {
      at.tell(reader);
    }
  }

  /** For people: the function's name and how many bytes it gets. */
  @Override
  public String toString() {
    return function + "(" + arguments.length + " bytes)";
  }
}
