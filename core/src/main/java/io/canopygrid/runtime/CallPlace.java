package io.canopygrid.runtime;

import io.canopygrid.FunctionCall;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.typed.TypedIndex;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The place of a function's call as engines know it. */
final class CallPlace {
  private CallPlace() {}

  /**
   * The place of a call; null: it has none.
   *
   * @param opened an index of the handle as its engine knows it
   */
  static FunctionRequest.@Nullable At of(
      FunctionCall call, Function<Index<?, ?>, OpenIndex> opened) {
    AtomicReference<FunctionRequest.@Nullable At> at = new AtomicReference<>();
    call.place(
        new FunctionCall.PlaceReader() {
          @Override
          public <K> void place(Index<K, ?> index, @Nullable K key, @Nullable Range<K> range) {
            OpenIndex known = opened.apply(index);
            EntryCodec<K, ?> entries = ((TypedIndex<K, ?>) index).entries();
            byte[] first =
                range == null ? entries.encodeKey(key) : entries.encodeRange(range).from();
            at.set(new FunctionRequest.At(known, first));
          }
        });
    return at.get();
  }
}
