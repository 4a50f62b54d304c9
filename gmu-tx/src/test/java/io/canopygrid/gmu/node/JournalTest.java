package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.ForwardingStorage;
import io.canopygrid.gmu.memory.InMemoryStorage;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageChange.PutDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A journal whose storage does not do as it is asked. */
final class JournalTest {
  private static final NodeId SELF = new NodeId(7);

  private final BrokenStorage storage = new BrokenStorage();
  private final List<Long> stored = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Long> told = new LinkedBlockingQueue<>();
  private final BlockingQueue<Long> forced = new LinkedBlockingQueue<>();
  private final CompletableFuture<Throwable> failed = new CompletableFuture<>();

  private Journal journal(Durability durability) {
    Journal journal =
        new Journal(
            SELF, new NodeStorage(storage, durability), this::hear, forced::add, failed::complete);
    journal.start();
    return journal;
  }

  private void hear(long upTo) {
    stored.add(upTo);
    told.add(upTo);
  }

  private static List<Effect> step(long position) {
    return step(position, true);
  }

  private static List<Effect> step(long position, boolean isReliedOn) {
    NodeId user = new NodeId(position);
    return List.of(
        new Effect.Store(position, List.of(new StorageChange.PutUser(user)), isReliedOn));
  }

  /** A defect of the engine, or of its caller, must not leave a gap between two batches. */
  @ParameterizedTest
  @EnumSource(Durability.class)
  void nothingIsWrittenAfterABatchThatIsNot(Durability durability) throws Exception {
    Journal journal = journal(durability);
    storage.broken = true;
    journal.take(step(1));
    journal.write();
    assertThat(failed.get(20, TimeUnit.SECONDS)).hasMessage("defect");
    storage.broken = false;
    journal.take(step(2));
    journal.write();
    assertThat(journal.end(true)).isNull();
    assertThat(storage.users()).isEmpty();
    assertThat(stored).isEmpty();
    assertThat(storage.closed).isTrue();
  }

  /** Else a few large writes that wait for a slow disk would take several times their memory. */
  @Test
  void aBatchIsAsLargeAsAFewLargeValues() {
    Journal journal = journal(Durability.ASYNC);
    for (int i = 1; i <= 10; i++) {
      journal.take(largeStep(i));
    }
    journal.write();
    assertThat(storage.batches).containsExactly(3, 3, 3, 1);
    assertThat(stored).containsExactly(3L, 6L, 9L, 10L);
    assertThat(journal.end(true)).isNull();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void aStepThatNothingReliesOnWaitsForAnotherOne(Durability durability) throws Exception {
    Journal journal = journal(durability);
    journal.take(step(1, false));
    journal.take(step(2, false));
    journal.write();
    assertThat(storage.batches).isEmpty();
    journal.take(step(3));
    journal.write();
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(3);
    assertThat(storage.batches).containsExactly(3);

    journal.take(step(4, false));
    journal.rest();
    journal.write();
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(4);
    journal.take(step(5, false));
    assertThat(journal.end(true)).isNull();
    assertThat(storage.batches).containsExactly(3, 1, 1);
  }

  @Test
  void notTooManyStepsWait() {
    Journal journal = journal(Durability.ASYNC);
    for (int i = 1; i <= 200; i++) {
      journal.take(step(i, false));
      journal.write();
    }
    assertThat(stored).containsExactly(128L);
    assertThat(journal.end(true)).isNull();
  }

  private static List<Effect> largeStep(long position) {
    TxId tid = new TxId(SELF, position);
    CompositeKey key = CompositeKey.ofBytes(new byte[CompositeKey.KCL_BYTES + 1]);
    Footprint writes =
        new Footprint(List.of(), List.of(), List.of(new Write(key, new byte[400_000], null)));
    VectorClock zero = VectorClock.ZERO;
    TxRecord rec = new TxRecord(tid, 0, List.of(0), zero, writes, true, "");
    Decision decision = new Decision(tid, zero, List.of(0), zero, List.of(rec));
    return List.of(new Effect.Store(position, List.of(new PutDecision(decision)), true));
  }

  @Test
  void itSaysWhatIsForcedWhereThatIsLater() throws InterruptedException {
    Journal journal = journal(Durability.ASYNC);
    journal.take(step(1));
    journal.take(step(2));
    journal.write();
    assertThat(stored).containsExactly(2L);
    assertThat(forced.poll(20, TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(storage.memory.forced()).isEqualTo(3); // behind the place of the node's id
    assertThat(journal.end(true)).isNull();
  }

  @Test
  void theDiskIsGivenUpAlsoWhereItsEndFails() {
    Journal journal = journal(Durability.FSYNC);
    journal.end(false);
    assertThat(storage.closed).isTrue();

    BrokenStorage other = new BrokenStorage();
    Journal orderly =
        new Journal(
            SELF,
            new NodeStorage(other, Durability.ASYNC),
            stored::add,
            forced::add,
            failed::complete);
    other.broken = true;
    orderly.take(step(1));
    assertThat(orderly.end(true)).hasMessage("defect");
    assertThat(other.closed).isTrue();
  }

  @Test
  void aNodeLeavesNothingOnItsDiskBeforeItSigns() {
    Journal journal = journal(Durability.ASYNC);
    assertThat(storage.users()).isEmpty();
    journal.sign();
    journal.sign();
    assertThat(storage.users()).containsExactly(SELF);
    assertThat(journal.end(true)).isNull();
  }

  /** Fails with something that is not a failure of the disk. */
  private static final class BrokenStorage extends ForwardingStorage {
    private final List<NodeId> users = new ArrayList<>();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();
    private volatile boolean broken;
    private volatile boolean closed;

    private final InMemoryStorage memory;

    BrokenStorage() {
      this(new InMemoryStorage());
    }

    private BrokenStorage(InMemoryStorage memory) {
      super(memory);
      this.memory = memory;
    }

    synchronized List<NodeId> users() {
      return List.copyOf(users);
    }

    @Override
    public synchronized void write(List<Batch> batches) {
      if (broken) {
        throw new IllegalArgumentException("defect");
      }
      super.write(batches);
      this.batches.add(batches.size());
      for (Batch batch : batches) {
        for (StorageChange change : batch.changes()) {
          if (change instanceof StorageChange.PutUser put) {
            users.add(put.user());
          }
        }
      }
    }

    @Override
    public void close() {
      closed = true;
      super.close();
    }
  }
}
