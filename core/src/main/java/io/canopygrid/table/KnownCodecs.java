package io.canopygrid.table;

import io.canopygrid.Codec;
import io.canopygrid.engine.ScalarCodecs;
import java.util.List;
import java.util.Optional;

/** The codecs of which the id says all. Any other one is an application's own. */
final class KnownCodecs {
  private static final String DESCENDING = "descending(";

  /** Their encodings have no fixed length, whatever they consist of. */
  private static final List<String> VARIABLE = List.of("tuple(", "optional(", "enum(");

  private KnownCodecs() {}

  /** The codec; of an encoding without a fixed length perhaps one that gives its bytes. */
  static Optional<Codec<?>> of(String id) {
    if (VARIABLE.stream().anyMatch(id::startsWith)) {
      return Optional.of(new NamedBytes(id));
    }
    if (id.startsWith(DESCENDING) && id.endsWith(")")) {
      return of(id.substring(DESCENDING.length(), id.length() - 1)).map(Codec::descending);
    }
    return ScalarCodecs.of(id);
  }
}
