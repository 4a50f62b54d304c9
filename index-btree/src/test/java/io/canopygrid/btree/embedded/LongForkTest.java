package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Isolation;
import io.canopygrid.ReadTransaction;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The long fork: two updates that have nothing to do with each other, and two readers. Each reader
 * sees only one update, and not the same one. The default isolation allows it, {@link
 * Isolation#SERIALIZABLE} does not. On one thread, so that it happens each time.
 */
@NullUnmarked // values are compared as they are
final class LongForkTest {
  private static final TransactionOptions SERIALIZABLE =
      TransactionOptions.DEFAULTS.withIsolation(Isolation.SERIALIZABLE);

  private final EmbeddedCanopy db = EmbeddedCanopy.start();
  private final Index<Long, String> x = db.index("x", Codec.int64(), Codec.string());
  private final Index<Long, String> y = db.index("y", Codec.int64(), Codec.string());

  @BeforeEach
  void fill() {
    db.run(tx -> {
      tx.on(x).put(1L, "old");
      tx.on(y).put(1L, "old");
    });
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void canBeSeenByTwoThatOnlyRead() {
    try (Transaction first = db.begin();
        Transaction second = db.begin()) {
      fork(first, second);
      assertThatCode(first::commit).doesNotThrowAnyException();
      assertThatCode(second::commit).doesNotThrowAnyException();
    }
  }

  @Test
  void isNotSeenBySerializableTransactions() {
    try (Transaction first = db.begin(SERIALIZABLE);
        Transaction second = db.begin(SERIALIZABLE)) {
      fork(first, second);
      assertConflict(first);
      assertConflict(second);
    }
  }

  @Test
  void isNotSeenByOneThatIsSerializableAndOneThatWrites() {
    try (Transaction first = db.begin(SERIALIZABLE);
        Transaction second = db.begin()) {
      fork(first, second);
      second.on(x).put(2L, "written");
      assertConflict(first);
      assertConflict(second);
    }
  }

  @Test
  void aSerializableReadIsRunAgainUntilItIsInOrder() {
    int[] runs = {0};
    String seen =
        db.read(
            SERIALIZABLE,
            tx -> {
              String before = value(tx, x);
              if (runs[0]++ == 0) {
                overwriteFromOutside();
              }
              return before + " " + value(tx, y);
            });
    assertThat(seen).isEqualTo("new new");
    assertThat(runs[0]).isEqualTo(2);
  }

  /** The two updates come between the reads of two readers, and each reader misses another one. */
  private void fork(Transaction first, Transaction second) {
    try (Transaction writesX = db.begin();
        Transaction writesY = db.begin()) {
      assertThat(value(first, y)).isEqualTo("old");
      assertThat(value(second, x)).isEqualTo("old");
      writesX.on(x).put(1L, "new");
      writesX.commit();
      writesY.on(y).put(1L, "new");
      writesY.commit();
      assertThat(value(first, x)).isEqualTo("new");
      assertThat(value(second, y)).isEqualTo("new");
      assertThat(value(first, y)).isEqualTo("old");
      assertThat(value(second, x)).isEqualTo("old");
    }
  }

  private void overwriteFromOutside() {
    Thread other =
        new Thread(() ->
            db.run(tx -> {
              tx.on(x).put(1L, "new");
              tx.on(y).put(1L, "new");
            }));
    other.start();
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String value(ReadTransaction tx, Index<Long, String> index) {
    return tx.on(index).get(1L);
  }

  private static void assertConflict(Transaction tx) {
    assertThatThrownBy(tx::commit)
        .asInstanceOf(InstanceOfAssertFactories.type(CanopyException.class))
        .extracting(CanopyException::code)
        .isEqualTo(ErrorCode.WRITE_CONFLICT);
  }
}
