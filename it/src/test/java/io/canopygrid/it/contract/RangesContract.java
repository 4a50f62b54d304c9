package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.Tuple;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Every kind of range. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class RangesContract extends Theme {
  RangesContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void boundsAreInOrOut() {
    letters();
    read(v -> {
      assertThat(keys(v.scan(Range.closed("c", "e")))).containsExactly("c", "d", "e");
      assertThat(keys(v.scan(Range.open("c", "e")))).containsExactly("d");
      assertThat(keys(v.scan(Range.closedOpen("c", "e")))).containsExactly("c", "d");
      assertThat(keys(v.scan(Range.between("c", false, "e", true)))).containsExactly("d", "e");
      assertThat(keys(v.scan(Range.atLeast("y")))).containsExactly("y", "z");
      assertThat(keys(v.scan(Range.greaterThan("y")))).containsExactly("z");
      assertThat(keys(v.scan(Range.atMost("b")))).containsExactly("a", "b");
      assertThat(keys(v.scan(Range.lessThan("b")))).containsExactly("a");
      assertThat(keys(v.scan(Range.closed("e", "c")))).isEmpty();
      assertThat(keys(v.scan(Range.all()))).hasSize(26);
      assertThat(keys(v.scan())).hasSize(26);
    });
  }

  @Test
  void countsWhatAScanWouldGive() {
    letters();
    read(v -> {
      assertThat(v.count()).isEqualTo(26);
      assertThat(v.count(Range.open("a", "z"))).isEqualTo(24);
      assertThat(v.count(Range.closed("e", "c"))).isZero();
    });
  }

  @Test
  void prefixesOfTextAndTuples() {
    write(v -> {
      for (String key : new String[] {"a", "ab", "abc", "b", "ba"}) {
        v.put(key, key);
      }
    });
    read(v -> {
      assertThat(keys(v.scan(Range.prefix("ab")))).containsExactly("ab", "abc");
      assertThat(keys(v.scan(Range.prefix("")))).hasSize(5);
      assertThat(v.count(Range.prefix("c"))).isZero();
    });
    Index<Tuple, Long> tuples =
        db.index(name + "-t", Codec.tuple(Codec.string(), Codec.int64()), Codec.int64());
    db.run(tx -> {
      tx.on(tuples).put(Tuple.of("a", 1L), 1L);
      tx.on(tuples).put(Tuple.of("a", 2L), 2L);
      tx.on(tuples).put(Tuple.of("ab", 1L), 3L);
    });
    assertThat(count(db, tuples, Range.prefix(Tuple.of("a")))).isEqualTo(2);
  }

  @Test
  void boundsThatAreWrongAreRefusedAtOnce() {
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> Range.closed(null, "a"));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> Range.prefix(null));
    Index<Long, Long> numbers = db.index(name + "-n", Codec.int64(), Codec.int64());
    refused(ErrorCode.INVALID_ARGUMENT, () -> count(db, numbers, Range.prefix(1L)));
  }

  private static <K, V> long count(Canopy db, Index<K, V> index, Range<K> range) {
    return db.<Long, RuntimeException>read(tx -> {
      try (Cursor<K, V> c = tx.on(index).scan(range)) {
        assertThat(c.stream().count()).isEqualTo(tx.on(index).count(range));
      }
      return tx.on(index).count(range);
    });
  }
}
