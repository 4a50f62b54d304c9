package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A transaction that passes all on to another one; a test overrides what shall be different. */
public class ForwardingTransaction implements GmuTransaction {
  private final GmuTransaction transaction;

  public ForwardingTransaction(GmuTransaction transaction) {
    this.transaction = transaction;
  }

  @Override
  public ReadAnswer read(ReadQuery query) throws TimeoutException {
    return transaction.read(query);
  }

  @Override
  public @Nullable ReadAnswer readAtHand(ReadQuery query) {
    return transaction.readAtHand(query);
  }

  @Override
  public List<ReadAnswer> readAll(List<ReadQuery> queries, IntConsumer asked)
      throws TimeoutException {
    return transaction.readAll(queries, asked);
  }

  @Override
  public @Nullable Ahead askAhead(List<ReadQuery> queries) {
    return transaction.askAhead(queries);
  }

  @Override
  public void watch(CommitProgress progress) {
    transaction.watch(progress);
  }

  @Override
  public Outcome commit(Footprint footprint, String label) {
    return transaction.commit(footprint, label);
  }

  @Override
  public void readNearest() {
    transaction.readNearest();
  }

  @Override
  public long asked() {
    return transaction.asked();
  }

  @Override
  public @Nullable ReadAnswer fixAll() throws TimeoutException {
    return transaction.fixAll();
  }

  @Override
  public void end() {
    transaction.end();
  }

  @Override
  public VectorClock clock() {
    return transaction.clock();
  }
}
