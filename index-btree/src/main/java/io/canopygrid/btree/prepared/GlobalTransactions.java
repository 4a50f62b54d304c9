package io.canopygrid.btree.prepared;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.crown.PreparedEntry;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.PreparedTransactions;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The prepared transactions of a grid, as one node sees and decides them. Thread-safe. */
public final class GlobalTransactions implements PreparedTransactions {
  /** The level of grids whose nodes all know locks in headers. */
  private static final int LEVEL = 9;

  private static final String FORGET = "canopy.forget";
  private static final long TIMEOUT_MILLIS = 30_000;
  private static final Backoff AGAIN = new Backoff(1_000_000, 50_000_000);

  private final GmuNode node;
  private final LongSupplier wallMillis;
  private final OwnerNumbers numbers;

  /** The prepared transactions through a node. */
  public GlobalTransactions(GmuNode node, LongSupplier wallMillis) {
    this.node = node;
    this.wallMillis = wallMillis;
    this.numbers = new OwnerNumbers(node);
  }

  @Override
  public Prepared prepare(EngineTransaction transaction, BranchId id, String label) {
    TreeTransaction own = (TreeTransaction) transaction;
    try {
      requireLevel();
      TreeTransaction.Staged staged = own.stage();
      if (!staged.writes()) {
        return new Prepared(own.validate(), true);
      }
      PreparedEntry wanted =
          new PreparedEntry(
              id,
              PreparedTransaction.State.IN_DOUBT,
              0,
              0,
              wallMillis.getAsLong(),
              label,
              new TreeMap<>(),
              0);
      return new Prepared(new FirstStep(node, numbers, own, staged, wanted).run(), false);
    } catch (TimeoutException e) {
      throw Failures.timeout(own.id(), e);
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, own.id());
    } finally {
      own.end();
    }
  }

  private void requireLevel() {
    int level = node.level().level();
    if (level < LEVEL) {
      throw new CanopyException(
          ErrorCode.PROTOCOL_ERROR,
          "the grid is at level "
              + level
              + ", and transactions can be prepared from "
              + LEVEL
              + " on: canopy upgrade raises it");
    }
  }

  @Override
  public Decided commit(BranchId id) {
    return new SecondStep(node, id, true, false).run();
  }

  @Override
  public Decided rollback(BranchId id) {
    return new SecondStep(node, id, false, false).run();
  }

  @Override
  public Decided resolve(BranchId id, boolean commits) {
    return new SecondStep(node, id, commits, true).run();
  }

  /** One step that reads, and perhaps writes; null: something was in the way. */
  private interface Step<T> {
    @Nullable T run(GmuTransaction transaction, SnapshotReads reads) throws TimeoutException;
  }

  private <T> T in(Step<T> step) {
    long deadlineNanos = node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    for (int attempt = 1; ; attempt++) {
      GmuTransaction transaction = null;
      try {
        transaction = node.begin(VectorClock.ZERO, deadlineNanos);
        T result =
            step.run(transaction, new SnapshotReads(transaction, new Router(node), deadlineNanos));
        if (result != null) {
          return result;
        }
      } catch (TimeoutException e) {
        throw Failures.timeout(null, e);
      } catch (RuntimeException e) {
        throw Failures.ofNode(e, null);
      } finally {
        if (transaction != null) {
          transaction.end();
        }
      }
      AGAIN.pause(attempt, deadlineNanos, node.threads());
    }
  }

  @Override
  public boolean forget(BranchId id) {
    return in((transaction, reads) -> {
      CompositeKey key = PreparedEntry.key(id);
      ReadAnswer.Got found = reads.get(key);
      byte[] value = found.value();
      if (value == null || PreparedEntry.decode(key.ku(), value).isInDoubt()) {
        return false;
      }
      Footprint footprint =
          new Footprint(
              List.of(new KeyRead(key, found.seen())),
              List.of(),
              List.of(new Write(key, null, null)));
      return transaction.commit(footprint, FORGET) instanceof Outcome.Committed ? true : null;
    });
  }

  @Override
  public List<PreparedTransaction> list() {
    return in((transaction, reads) -> {
      List<PreparedTransaction> all = new ArrayList<>();
      byte[] from = PreparedEntry.firstKu();
      while (true) {
        ReadAnswer.Scanned page = reads.scan(ReservedKcl.PREPARED.kcl(), from, null, true);
        for (ReadAnswer.Entry each : page.entries()) {
          from = KeyRange.successor(each.ku());
          byte[] value = each.value();
          if (value != null) {
            all.add(PreparedEntry.decode(each.ku(), value).toTransaction());
          }
        }
        if (page.complete()) {
          return all;
        }
      }
    });
  }
}
