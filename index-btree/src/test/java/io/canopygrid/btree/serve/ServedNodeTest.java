package io.canopygrid.btree.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexOptions;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import io.canopygrid.wire.CommitId;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions of clients, their limits, and the outcomes of their named commits. */
final class ServedNodeTest {
  private static final UUID CLIENT = new UUID(1, 2);

  private EmbeddedCanopy db;
  private ServedNode node;
  private IndexRef index;
  private long number;

  @BeforeEach
  void start() {
    db = EmbeddedCanopy.start();
    node = db.served();
    index = node.open("things", "int64", "string", IndexOptions.DEFAULTS);
  }

  @AfterEach
  void stop() {
    db.close();
  }

  private ServedTransaction begin() {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    return node.begin(
        new Begin(Mode.UPDATE, VectorClock.ZERO, deadlineNanos, "", ReadFrom.PRIMARY, ""));
  }

  private CommitId name() {
    return new CommitId(CLIENT, System.currentTimeMillis(), ++number, (int) number % 16);
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) 0x80, 0, 0, 0, 0, 0, 0, (byte) i};
  }

  private CommitState put(@Nullable CommitId name, int key, byte... value) {
    ServedTransaction transaction = begin();
    transaction.on(index).put(key(key), value);
    try {
      transaction.commit(name);
      return CommitState.COMMITTED;
    } catch (CanopyException e) {
      return e.commitState();
    }
  }

  @Test
  void readsWhatWasWritten() {
    put(null, 1, (byte) 7);
    ServedTransaction transaction = begin();
    transaction.on(index).put(key(2), new byte[0]);
    assertThat(transaction.on(index).get(key(1))).containsExactly(7);
    assertThat(transaction.on(index).count(KeyRange.ALL)).isEqualTo(2);
    assertThat(transaction.on(index).removeRange(KeyRange.ALL)).isEqualTo(2);
    transaction.end(false);
    assertThat(begin().on(index).get(key(1))).containsExactly(7);
    assertThat(node.parts(index))
        .singleElement()
        .satisfies(part -> assertThat(part.node()).isEqualTo(node.name()));
    assertThat(node.isReady()).isTrue();
  }

  @Test
  void saysWhereItsNodesAre() {
    assertThat(node.zones().zones()).isEmpty();
    try (EmbeddedCanopy placed =
        EmbeddedCanopy.join(ClusterConfig.of("zones").port(0).zone("east/b7"))) {
      ServedNode served = placed.served();
      assertThat(served.zones().zones()).isEqualTo(Map.of(served.name(), "east/b7"));
      assertThat(served.zones().problem()).isEmpty();
    }
  }

  @Test
  void systemIndexesAreNotSeen() {
    IndexRef system = node.openSystem("users");
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> node.indexOfUser(system.number()))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX));
    assertThat(db.indexes()).containsExactly("things");
    assertThat(node.indexes()).extracting(IndexRef::name).containsExactly("things");
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> node.find("$users"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX));
    assertThat(node.index(index.number())).isSameAs(index);
    assertThat(node.indexOfUser(index.number())).isSameAs(index);
  }

  @Test
  void aCommitThatHappenedIsFound() {
    CommitId name = name();
    assertThat(put(name, 1, (byte) 1)).isEqualTo(CommitState.COMMITTED);
    assertThat(node.commits().lookUp(name).state()).isEqualTo(CommitState.COMMITTED);
    VectorClock seen = node.commits().lookUp(name).seen();
    assertThat(seen.size()).isPositive();
  }

  @Test
  void aCommitThatIsSentTwiceHappensOnce() {
    CommitId name = name();
    assertThat(put(name, 1, (byte) 1)).isEqualTo(CommitState.COMMITTED);
    assertThat(put(null, 1, (byte) 2)).isEqualTo(CommitState.COMMITTED);
    assertThat(put(name, 1, (byte) 1)).isEqualTo(CommitState.COMMITTED);
    assertThat(begin().on(index).get(key(1))).containsExactly(2);
  }

  @Test
  void whoAsksFirstPreventsTheCommit() {
    CommitId name = name();
    assertThat(node.commits().lookUp(name).state()).isEqualTo(CommitState.NOT_COMMITTED);
    assertThat(put(name, 1, (byte) 1)).isEqualTo(CommitState.NOT_COMMITTED);
    assertThat(begin().on(index).get(key(1))).isNull();
    assertThat(node.commits().lookUp(name).state()).isEqualTo(CommitState.NOT_COMMITTED);
  }

  /** Commits and questions race: both always tell the same. */
  @Test
  void commitsAndQuestionsAgree() {
    int prevented = 0;
    for (int run = 0; run < 400; run++) {
      CommitId name = name();
      CompletableFuture<CommitState> asked =
          CompletableFuture.supplyAsync(() -> node.commits().lookUp(name).state());
      CommitState told = put(name, 3, (byte) run);
      assertThat(asked.join()).as("run %d", run).isEqualTo(told);
      assertThat(node.commits().lookUp(name).state()).as("run %d", run).isEqualTo(told);
      prevented += told == CommitState.NOT_COMMITTED ? 1 : 0;
    }
    assertThat(prevented).isBetween(0, 400);
  }

  @Test
  void anOldNameIsRefusedAndUnknown() {
    CommitId old =
        new CommitId(
            CLIENT, System.currentTimeMillis() - TimeUnit.MINUTES.toMillis(11), ++number, 0);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> {
          ServedTransaction transaction = begin();
          transaction.on(index).put(key(1), key(1));
          transaction.commit(old);
        })
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    assertThat(node.commits().lookUp(old).state()).isEqualTo(CommitState.UNKNOWN);
  }

  @Test
  void aReadOnlyCommitLeavesNoRecord() {
    CommitId name = name();
    ServedTransaction transaction = begin();
    assertThat(transaction.on(index).get(key(9))).isNull();
    transaction.commit(name);
    assertThat(node.commits().lookUp(name).state()).isEqualTo(CommitState.NOT_COMMITTED);
  }

  @Test
  void aConflictNamesIndexAndKey() {
    ServedTransaction reader = begin();
    assertThat(reader.on(index).get(key(5))).isNull();
    reader.on(index).put(key(6), key(6));
    assertThat(put(name(), 5, (byte) 1)).isEqualTo(CommitState.COMMITTED);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> reader.commit(name()))
        .satisfies(e -> {
          assertThat(e.code()).isEqualTo(ErrorCode.WRITE_CONFLICT);
          assertThat(e.facts()).containsEntry("index", "things").containsEntry("key", "5");
          assertThat(e.retryable()).isTrue();
        });
  }
}
