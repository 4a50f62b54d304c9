package io.canopygrid;

import io.canopygrid.codec.Decimals;
import io.canopygrid.codec.Integers;
import io.canopygrid.codec.Texts;
import io.canopygrid.codec.Times;
import io.canopygrid.codec.Uuids;
import java.math.BigDecimal;
import java.time.Instant;

/** The one instance of each codec of a plain type. */
final class ScalarCodecs {
  static final Codec<Integer> INT32 =
      new FunctionCodec<>("int32", 4, false, Integers::encode, Integers::decodeInt);
  static final Codec<Long> INT64 =
      new FunctionCodec<>("int64", 8, false, Integers::encode, Integers::decodeLong);
  static final Codec<Boolean> BOOL =
      new FunctionCodec<>("bool", 1, false, Integers::encode, Integers::decodeBoolean);
  static final Codec<String> STRING =
      new FunctionCodec<>("string", Codec.VARIABLE_LENGTH, true, Texts::encode, Texts::decode);
  static final Codec<byte[]> BYTES =
      new FunctionCodec<>("bytes", Codec.VARIABLE_LENGTH, true, byte[]::clone, byte[]::clone);
  static final Codec<java.util.UUID> UUID =
      new FunctionCodec<>("uuid", 16, false, Uuids::encode, Uuids::decode);
  static final Codec<Instant> INSTANT =
      new FunctionCodec<>("instant", 12, false, Times::encode, Times::decode);
  static final Codec<BigDecimal> DECIMAL =
      new FunctionCodec<>(
          "decimal", Codec.VARIABLE_LENGTH, false, Decimals::encode, Decimals::decode);

  private ScalarCodecs() {}
}
