package io.canopygrid.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's transactions, none of which is run again. */
final class CanopyTransactionManagerTest {
  private static final Canopy CANOPY = EmbeddedCanopy.start();
  private static final Index<Long, Long> COUNTS =
      CANOPY.index("counts", Codec.int64(), Codec.int64());

  private final CanopyTemplate template = new CanopyTemplate(CANOPY, TransactionOptions.DEFAULTS);
  private final CanopyTransactionManager manager = new CanopyTransactionManager(template);

  @AfterAll
  static void close() {
    CANOPY.close();
  }

  @BeforeEach
  void set() {
    CANOPY.run(tx -> {
      tx.on(COUNTS).put(1L, 0L);
      tx.on(COUNTS).put(2L, 0L);
    });
  }

  private TransactionTemplate spring(int propagation) {
    TransactionTemplate made = new TransactionTemplate(manager);
    made.setPropagationBehavior(propagation);
    return made;
  }

  private TransactionTemplate required() {
    return spring(TransactionDefinition.PROPAGATION_REQUIRED);
  }

  private void put(long key, long value) {
    template.transaction().on(COUNTS).put(key, value);
  }

  private static Long committed(long key) {
    return CANOPY.read(tx -> Objects.requireNonNull(tx.on(COUNTS).get(key)));
  }

  @Test
  void aTransactionCommitsAtItsEnd() {
    required()
        .executeWithoutResult(status -> {
          put(1, 5);
          required().executeWithoutResult(inner -> put(2, 6));
          assertThat(committed(1)).isZero();
        });

    assertThat(committed(1)).isEqualTo(5);
    assertThat(committed(2)).isEqualTo(6);
    assertThat(template.isActive()).isFalse();
  }

  @Test
  void aConflictReachesTheCallerAndNothingIsRunAgain() {
    int[] runs = new int[1];
    assertThatThrownBy(() ->
            required()
                .executeWithoutResult(status -> {
                  runs[0]++;
                  Long old = template.transaction().on(COUNTS).get(1L);
                  Rival.add(CANOPY, COUNTS, 1, 100);
                  put(1, old == null ? 1 : old + 1);
                }))
        .isInstanceOf(OptimisticLockingFailureException.class)
        .hasMessageStartingWith("CNPY-2001 WRITE_CONFLICT");
    assertThat(runs[0]).isEqualTo(1);
    assertThat(committed(1)).isEqualTo(100);
    assertThat(template.isActive()).isFalse();
  }

  @Test
  void anExceptionRollsBack() {
    assertThatThrownBy(() ->
            required()
                .executeWithoutResult(status -> {
                  put(1, 5);
                  throw new IllegalArgumentException("of the body");
                }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(committed(1)).isZero();
  }

  @Test
  void anInnerRollBackIsOneOfTheWhole() {
    assertThatThrownBy(() ->
            required()
                .executeWithoutResult(status -> {
                  put(1, 5);
                  required().executeWithoutResult(inner -> inner.setRollbackOnly());
                }))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(committed(1)).isZero();
  }

  @Test
  void aNewTransactionIsIndependentOfTheOneThatWaits() {
    required()
        .executeWithoutResult(status -> {
          put(1, 5);
          spring(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
              .executeWithoutResult(inner -> put(2, 6));
          assertThat(committed(2)).isEqualTo(6);
          status.setRollbackOnly();
        });

    assertThat(committed(1)).isZero();
    assertThat(committed(2)).isEqualTo(6);
  }

  @Test
  void inABodySpringsTransactionsJoinOrAreRefused() {
    template.run(tx -> {
      required().executeWithoutResult(status -> put(1, 5));
      assertThatThrownBy(() ->
              spring(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                  .executeWithoutResult(status -> put(2, 6)))
          .isInstanceOf(CannotCreateTransactionException.class)
          .hasMessageStartingWith("CNPY-3010 NESTED_TRANSACTION");
      assertThat(template.isActive()).isTrue();
    });

    assertThat(committed(1)).isEqualTo(5);
  }

  @Test
  void aBodyInSpringsTransactionJoinsIt() {
    required()
        .executeWithoutResult(status -> {
          template.run(tx -> tx.on(COUNTS).put(1L, 5L));
          assertThat(committed(1)).isZero();
        });

    assertThat(committed(1)).isEqualTo(5);
  }

  @Test
  void savepointsAndWritesInReadOnlyTransactionsAreRefused() {
    assertThatThrownBy(() ->
            required()
                .executeWithoutResult(status ->
                    spring(TransactionDefinition.PROPAGATION_NESTED)
                        .executeWithoutResult(inner -> {})))
        .isInstanceOf(NestedTransactionNotSupportedException.class);
    TransactionTemplate reading = required();
    reading.setReadOnly(true);
    assertThatThrownBy(() -> reading.executeWithoutResult(status -> put(1, 5)))
        .isInstanceOf(IllegalTransactionStateException.class);
    assertThat(reading.<Long>execute(status -> template.readTransaction().on(COUNTS).get(1L)))
        .isZero();
  }
}
