package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Tuple;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Every codec, as keys in order and as values. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class CodecsContract extends Theme {
  CodecsContract(ContractGrid grid) {
    super(grid);
  }

  /** A value that JSON encodes. */
  public record Account(String owner, long cents) {}

  @Test
  void scalarsKeepTheirOrderAsKeys() {
    check(Codec.int32(), List.of(Integer.MIN_VALUE, -1, 0, 7, Integer.MAX_VALUE));
    check(Codec.int64(), List.of(Long.MIN_VALUE, -1L, 0L, 7L, Long.MAX_VALUE));
    check(Codec.bool(), List.of(false, true));
    check(Codec.string(), List.of("", "a", "a\u0000", "aa", "ü", "\uFFFF", "\uD83D\uDE00"));
    check(Codec.instant(), List.of(Instant.MIN, Instant.EPOCH, Instant.MAX));
    check(
        Codec.decimal(),
        List.of(new BigDecimal("-1E+9"), new BigDecimal("-0.5"), new BigDecimal("3.25")));
    check(Codec.uuid(), List.of(new UUID(0, 1), new UUID(1, 0), new UUID(-1, 0)));
  }

  @Test
  void timesAndFloatsKeepTheirOrderAsKeys() {
    check(Codec.float64(), List.of(Double.NEGATIVE_INFINITY, -0.5, -0.0, 0.0, 1e300, Double.NaN));
    check(Codec.date(), List.of(LocalDate.MIN, LocalDate.of(2026, 11, 27), LocalDate.MAX));
    check(
        Codec.dateTime(),
        List.of(LocalDateTime.MIN, LocalDate.EPOCH.atTime(12, 30), LocalDateTime.MAX));
    check(
        Codec.offsetDateTime(),
        List.of(
            OffsetDateTime.MIN,
            OffsetDateTime.parse("2026-11-27T08:00Z"),
            OffsetDateTime.parse("2026-11-27T09:00+01:00"),
            OffsetDateTime.MAX));
  }

  @Test
  void codecsOfOtherCodecsKeepTheirOrderAsKeys() {
    check(Codec.enumeration(DayOfWeek.class), List.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY));
    check(
        Codec.optional(Codec.string()),
        List.of(Optional.empty(), Optional.of(""), Optional.of("a")));
    check(Codec.descending(Codec.string()), List.of("b", "ab", "aa", "a", ""));
    check(
        Codec.tuple(Codec.string(), Codec.descending(Codec.instant())),
        List.of(
            Tuple.of("a", Instant.MAX), Tuple.of("a", Instant.EPOCH), Tuple.of("b", Instant.MAX)));
  }

  @Test
  void tuplesCompareByTheirComponents() {
    check(
        Codec.tuple(Codec.string(), Codec.int64()),
        List.of(Tuple.of("", 5L), Tuple.of("a", -1L), Tuple.of("a", 1L), Tuple.of("ab", 0L)));
  }

  @Test
  void bytesAreTheirOwnKeys() {
    Index<byte[], byte[]> bytes = db.index(name + "-bytes", Codec.bytes(), Codec.bytes());
    db.run(tx -> {
      tx.on(bytes).put(new byte[] {(byte) 0xFF}, new byte[] {2});
      tx.on(bytes).put(new byte[] {0x7F}, new byte[] {1});
      tx.on(bytes).put(new byte[0], new byte[0]);
    });
    db.read(tx -> {
      assertThat(tx.on(bytes).firstEntry().getValue()).isEmpty();
      assertThat(tx.on(bytes).lastEntry().getKey()).containsExactly(0xFF);
      assertThat(tx.on(bytes).get(new byte[] {0x7F})).containsExactly(1);
      return null;
    });
  }

  @Test
  void jsonIsForValues() {
    Index<String, Account> accounts =
        db.index(name + "-json", Codec.string(), Codec.json(Account.class));
    db.run(tx -> tx.on(accounts).put("a", new Account("Ada", 5)));
    assertThat(db.<Account, RuntimeException>read(tx -> tx.on(accounts).get("a")))
        .isEqualTo(new Account("Ada", 5));
  }

  @Test
  void whatACodecCannotDoIsACodedError() {
    refused(ErrorCode.CODEC_FAILURE, () -> write(v -> v.put("\uD800", "unpaired")));
    refused(ErrorCode.CODEC_FAILURE, () -> write(v -> v.put("a", "\uDC00")));
    assertThat(all()).isEmpty();
  }

  private <K> void check(Codec<K> codec, List<K> ascending) {
    String own = name + "-" + codec.id().replaceAll("[^a-z0-9]", "_");
    Index<K, K> keys = db.index(own, codec, codec);
    db.run(tx -> ascending.forEach(key -> tx.on(keys).put(key, key)));
    db.read(tx -> {
      for (K key : ascending) {
        assertThat(tx.on(keys).get(key)).isEqualTo(key);
      }
      assertThat(tx.on(keys).scan().keys().collect(Collectors.toList())).isEqualTo(ascending);
      assertThat(tx.on(keys).scan().values().collect(Collectors.toList())).isEqualTo(ascending);
      return null;
    });
  }
}
