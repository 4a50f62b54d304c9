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
      new FunctionEncoding<Integer>("int32", 4, false, Integers::encode, Integers::decodeInt)
          .natural();
  static final FunctionEncoding<Long> INT64 =
      new FunctionEncoding<Long>("int64", 8, false, Integers::encode, Integers::decodeLong)
          .natural();
  static final FunctionEncoding<Boolean> BOOL =
      new FunctionEncoding<Boolean>("bool", 1, false, Integers::encode, Integers::decodeBoolean)
          .natural();
  static final FunctionEncoding<String> STRING =
      new FunctionEncoding<>("string", Encoding.VARIABLE_LENGTH, true, Utf8::encode, Utf8::decode);
  static final FunctionEncoding<byte[]> BYTES =
      new FunctionEncoding<>("bytes", Encoding.VARIABLE_LENGTH, true, byte[]::clone, byte[]::clone);
  static final FunctionEncoding<java.util.UUID> UUID =
      new FunctionEncoding<>("uuid", 16, false, Uuids::encode, Uuids::decode);
  static final FunctionEncoding<Instant> INSTANT =
      new FunctionEncoding<Instant>("instant", 12, false, Times::encode, Times::decode).natural();
  static final FunctionEncoding<BigDecimal> DECIMAL =
      new FunctionEncoding<BigDecimal>(
              "decimal", Encoding.VARIABLE_LENGTH, false, Decimals::encode, Decimals::decode)
          .natural();

  static final FunctionEncoding<Double> FLOAT64 =
      new FunctionEncoding<Double>("float64", 8, false, Floats::encode, Floats::decode).natural();
  static final FunctionEncoding<LocalDate> DATE =
      new FunctionEncoding<LocalDate>("date", 5, false, Dates::encode, Dates::decodeDate).natural();
  static final FunctionEncoding<LocalDateTime> DATE_TIME =
      new FunctionEncoding<LocalDateTime>(
              "datetime", 11, false, Dates::encode, Dates::decodeDateTime)
          .natural();
  static final FunctionEncoding<OffsetDateTime> OFFSET_DATE_TIME =
      new FunctionEncoding<OffsetDateTime>(
              "offsetdatetime", 16, false, Dates::encode, Dates::decodeOffsetDateTime)
          .natural();

  private ScalarEncodings() {}
}
