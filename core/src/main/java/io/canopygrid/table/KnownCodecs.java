package io.canopygrid.table;

import io.canopygrid.Codec;
import java.util.List;
import java.util.Optional;

/** The codecs of which the id says all. Any other one is an application's own. */
final class KnownCodecs {
  private static final List<Codec<?>> SCALARS =
      List.of(
          Codec.int32(),
          Codec.int64(),
          Codec.bool(),
          Codec.string(),
          Codec.bytes(),
          Codec.uuid(),
          Codec.instant(),
          Codec.decimal());

  private KnownCodecs() {}

  /** The codec; of a tuple's encoding one that gives its bytes. */
  static Optional<Codec<?>> of(String id) {
    if (id.startsWith("tuple(")) {
      return Optional.of(new NamedBytes(id)); // whatever it consists of, it has no fixed length
    }
    return SCALARS.stream().filter(codec -> codec.id().equals(id)).findFirst();
  }
}
