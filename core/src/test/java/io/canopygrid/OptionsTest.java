package io.canopygrid;

import static io.canopygrid.Coded.assertCoded;
import static io.canopygrid.Coded.nothing;
import static io.canopygrid.ErrorCode.INVALID_ARGUMENT;
import static io.canopygrid.ErrorCode.NULL_NOT_ALLOWED;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Options of transactions and indexes, tuples: defaults, ranges, copies. */
final class OptionsTest {
  private static final TransactionOptions DEFAULTS = TransactionOptions.DEFAULTS;

  @Test
  void transactionDefaults() {
    assertThat(DEFAULTS.label()).isEmpty();
    assertThat(DEFAULTS.timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(DEFAULTS.maxAttempts()).isEqualTo(50);
    assertThat(DEFAULTS.isolation()).isEqualTo(Isolation.UPDATE_SERIALIZABLE);
    assertThat(DEFAULTS.after()).isSameAs(CausalToken.NONE);
  }

  @Test
  void eachOptionIsChangedAlone() {
    CausalToken token = CausalToken.of(VectorClock.ZERO.with(1, 2));
    TransactionOptions changed =
        TransactionOptions.labelled("a")
            .withTimeout(Duration.ofMillis(1))
            .withMaxAttempts(1)
            .withIsolation(Isolation.SERIALIZABLE)
            .withAfter(token)
            .withReadFrom(ReadFrom.NEAREST)
            .at("s")
            .withLabel("b");
    assertThat(changed)
        .isEqualTo(
            new TransactionOptions(
                "b",
                Duration.ofMillis(1),
                1,
                Isolation.SERIALIZABLE,
                token,
                ReadFrom.NEAREST,
                "s"));
    assertThat(DEFAULTS.label()).isEmpty();
  }

  @Test
  void transactionOptionsOutOfRange() {
    assertCoded(INVALID_ARGUMENT, () -> DEFAULTS.withMaxAttempts(0), "maxAttempts=0");
    assertCoded(INVALID_ARGUMENT, () -> DEFAULTS.withMaxAttempts(10_001), "from 1 to 10000");
    assertCoded(INVALID_ARGUMENT, () -> DEFAULTS.withTimeout(Duration.ZERO), "timeout=PT0S");
    assertCoded(
        INVALID_ARGUMENT, () -> DEFAULTS.withTimeout(Duration.ofSeconds(Long.MAX_VALUE)), "PT1H");
    assertCoded(INVALID_ARGUMENT, () -> DEFAULTS.withLabel("x".repeat(65)), "65");
    assertThat(DEFAULTS.withLabel("x".repeat(64)).label()).hasSize(64);
    assertCoded(NULL_NOT_ALLOWED, () -> DEFAULTS.withLabel(nothing()), "label");
    assertCoded(NULL_NOT_ALLOWED, () -> DEFAULTS.withTimeout(nothing()), "timeout");
    assertCoded(NULL_NOT_ALLOWED, () -> DEFAULTS.withIsolation(nothing()), "isolation");
    assertCoded(NULL_NOT_ALLOWED, () -> DEFAULTS.withAfter(nothing()), "after");
    assertCoded(NULL_NOT_ALLOWED, () -> DEFAULTS.withReadFrom(nothing()), "readFrom");
    assertCoded(NULL_NOT_ALLOWED, () -> DEFAULTS.at(nothing()), "snapshot");
  }

  @Test
  void indexOptions() {
    assertThat(IndexOptions.DEFAULTS).isEqualTo(new IndexOptions(1024));
    assertThat(IndexOptions.DEFAULTS.withSubtreeEntriesMax(4)).isEqualTo(new IndexOptions(4));
    assertThat(new IndexOptions(65_536).subtreeEntriesMax()).isEqualTo(65_536);
    assertCoded(
        INVALID_ARGUMENT, () -> new IndexOptions(3), "subtreeEntriesMax=3", "from 4 to 65536");
    assertCoded(INVALID_ARGUMENT, () -> new IndexOptions(65_537), "subtreeEntriesMax=65537");
  }

  @Test
  void tuplesKnowTheirComponents() {
    Tuple tuple = Tuple.of("a", 7L, new byte[] {1});
    assertThat(tuple.size()).isEqualTo(3);
    assertThat(tuple.get(0)).isEqualTo("a");
    assertThat(tuple.get(1, Long.class)).isEqualTo(7L);
    assertThat(tuple)
        .isEqualTo(Tuple.of("a", 7L, new byte[] {1}))
        .hasSameHashCodeAs(Tuple.of("a", 7L, new byte[] {1}))
        .isNotEqualTo(Tuple.of("a", 7L, new byte[] {2}))
        .isNotEqualTo(Tuple.of("a", 7L))
        .hasToString("[a, 7, [1]]");
    assertCoded(INVALID_ARGUMENT, () -> tuple.get(3), "component=3");
    assertCoded(INVALID_ARGUMENT, () -> tuple.get(-1), "component=-1");
    assertCoded(INVALID_ARGUMENT, () -> tuple.get(1, String.class), "java.lang.Long");
    assertCoded(NULL_NOT_ALLOWED, () -> Tuple.of("a", null), "component 1");
    assertCoded(INVALID_ARGUMENT, () -> Tuple.of(new Object[17]), "components=17");
  }
}
