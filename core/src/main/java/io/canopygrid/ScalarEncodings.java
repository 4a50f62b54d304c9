package io.canopygrid;

import io.canopygrid.codec.Dates;
import io.canopygrid.codec.Decimals;
import io.canopygrid.codec.Floats;
import io.canopygrid.codec.Integers;
import io.canopygrid.codec.Times;
import io.canopygrid.codec.Utf8;
import io.canopygrid.codec.Uuids;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;

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

  static final FunctionEncoding<Double> FLOAT64 =
      new FunctionEncoding<>("float64", 8, false, Floats::encode, Floats::decode);
  static final FunctionEncoding<LocalDate> DATE =
      new FunctionEncoding<>("date", 5, false, Dates::encode, Dates::decodeDate);
  static final FunctionEncoding<LocalDateTime> DATE_TIME =
      new FunctionEncoding<>("datetime", 11, false, Dates::encode, Dates::decodeDateTime);
  static final FunctionEncoding<OffsetDateTime> OFFSET_DATE_TIME =
      new FunctionEncoding<>(
          "offsetdatetime", 16, false, Dates::encode, Dates::decodeOffsetDateTime);

  private ScalarEncodings() {}
}
