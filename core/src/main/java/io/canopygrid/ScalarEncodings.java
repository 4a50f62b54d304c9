package io.canopygrid;

import io.canopygrid.codec.Decimals;
import io.canopygrid.codec.Integers;
import io.canopygrid.codec.Times;
import io.canopygrid.codec.Utf8;
import io.canopygrid.codec.Uuids;
import java.math.BigDecimal;
import java.time.Instant;

/** The encodings of plain types. */
final class ScalarEncodings {
  static final FunctionEncoding<Integer> INT32 =
      new FunctionEncoding<>("int32", 4, false, Integers::encode, Integers::decodeInt);
  static final FunctionEncoding<Long> INT64 =
      new FunctionEncoding<>("int64", 8, false, Integers::encode, Integers::decodeLong);
  static final FunctionEncoding<Boolean> BOOL =
      new FunctionEncoding<>("bool", 1, false, Integers::encode, Integers::decodeBoolean);
  static final FunctionEncoding<String> STRING =
      new FunctionEncoding<>("string", Encoding.VARIABLE_LENGTH, true, Utf8::encode, Utf8::decode);
  static final FunctionEncoding<byte[]> BYTES =
      new FunctionEncoding<>("bytes", Encoding.VARIABLE_LENGTH, true, byte[]::clone, byte[]::clone);
  static final FunctionEncoding<java.util.UUID> UUID =
      new FunctionEncoding<>("uuid", 16, false, Uuids::encode, Uuids::decode);
  static final FunctionEncoding<Instant> INSTANT =
      new FunctionEncoding<>("instant", 12, false, Times::encode, Times::decode);
  static final FunctionEncoding<BigDecimal> DECIMAL =
      new FunctionEncoding<>(
          "decimal", Encoding.VARIABLE_LENGTH, false, Decimals::encode, Decimals::decode);

  private ScalarEncodings() {}
}
