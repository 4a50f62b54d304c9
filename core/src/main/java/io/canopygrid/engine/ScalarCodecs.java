package io.canopygrid.engine;

import io.canopygrid.Codec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The codecs of plain types, by their ids. Thread-safe. */
public final class ScalarCodecs {
  private static final Map<String, Codec<?>> BY_ID =
      List.<Codec<?>>of(
              Codec.int32(),
              Codec.int64(),
              Codec.float64(),
              Codec.bool(),
              Codec.string(),
              Codec.bytes(),
              Codec.uuid(),
              Codec.instant(),
              Codec.date(),
              Codec.dateTime(),
              Codec.offsetDateTime(),
              Codec.decimal())
          .stream()
          .collect(Collectors.toUnmodifiableMap(Codec::id, Function.identity()));

  private ScalarCodecs() {}

  /** The codec of that id, where it is one of these. */
  public static Optional<Codec<?>> of(String id) {
    return Optional.ofNullable(BY_ID.get(id));
  }
}
