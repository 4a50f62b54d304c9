package io.canopygrid.btree.subtree;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The comparison of bytes where they lie against the decoded header. */
final class SubtreeFencesTest {
  private final SubtreeFences fences = new SubtreeFences();

  @Test
  void agreesWithTheDecodedHeader() {
    long seed = 12;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      SubtreeHeader header = SubtreeHeaderTest.random(random);
      byte[] bytes = header.encode();
      byte[] key = SubtreeHeaderTest.key(random);
      byte[] ku = EntryKeys.ku(key);
      boolean open = !SubtreeHeaderTest.closes(header, key);
      String where = "seed " + seed + " step " + i + " key " + Keys.text(key) + " " + header;
      assertThat(fences.covers(bytes, ku)).as(where).isEqualTo(header.covers(key));
      assertThat(fences.accepts(bytes, ku)).as(where).isEqualTo(header.covers(key) && open);
      byte[] high = header.high();
      assertThat(fences.end(bytes)).as(where).isEqualTo(high == null ? null : EntryKeys.ku(high));
    }
  }

  @Test
  void coversARangeThatEndsWhereItEnds() {
    long seed = 13;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      SubtreeHeader header = SubtreeHeaderTest.random(random);
      byte[] from = SubtreeHeaderTest.key(random);
      byte[] to = random.nextInt(4) == 0 ? null : SubtreeHeaderTest.key(random);
      byte[] high = header.high();
      boolean expected =
          !header.isRetired()
              && Arrays.compareUnsigned(header.low(), from) <= 0
              && (high == null || (to != null && Arrays.compareUnsigned(to, high) <= 0));
      assertThat(fences.coversRange(header.encode(), EntryKeys.ku(from), EntryKeys.endKu(to)))
          .as("seed %s step %s", seed, i)
          .isEqualTo(expected);
    }
  }

  @Test
  void coversWhatIsBelowAnEndWithinIt() {
    long seed = 15;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      SubtreeHeader header = SubtreeHeaderTest.random(random);
      byte[] to = random.nextInt(4) == 0 ? null : SubtreeHeaderTest.key(random);
      byte[] high = header.high();
      boolean expected =
          to == null
              ? high == null
              : Arrays.compareUnsigned(header.low(), to) <= 0
                  && (high == null || Arrays.compareUnsigned(to, high) <= 0);
      assertThat(fences.coversBelow(header.encode(), EntryKeys.endKu(to)))
          .as("seed %s step %s", seed, i)
          .isEqualTo(expected && !header.isRetired());
    }
  }

  @Test
  void coversTheSchemasOfThoseWhoKnowEnough() {
    long seed = 16;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      SubtreeHeader header = SubtreeHeaderTest.random(random);
      int number = random.nextInt(3) == 0 ? header.schema() : random.nextInt(1 << 20);
      CompositeKey key = EntryKeys.schema(random.nextLong(), number);
      assertThat(EntryKeys.isSchema(key)).isTrue();
      assertThat(EntryKeys.schemaOf(key)).isEqualTo(number);
      assertThat(fences.covers(header.encode(), key.ku()))
          .as("seed %s step %s number %s %s", seed, i, number, header)
          .isEqualTo(number >= header.schema());
      assertThat(fences.accepts(header.encode(), key.ku())).isFalse();
    }
  }

  @Test
  void whatIsNoEntryIsWithinNoFence() {
    byte[] header = SubtreeHeader.first(1, 8).encode();
    assertThat(fences.covers(header, new byte[0])).isFalse();
    assertThat(fences.covers(header, new byte[] {2, 5})).isFalse();
    assertThat(fences.covers(header, new byte[] {1})).isTrue();
  }

  @Test
  void subtreesNeedHeadersAndTopDoesNot() {
    assertThat(fences.needsHeader(1)).isFalse();
    assertThat(fences.needsHeader(2)).isFalse();
    assertThat(fences.needsHeader(Long.MIN_VALUE)).isTrue();
  }
}
