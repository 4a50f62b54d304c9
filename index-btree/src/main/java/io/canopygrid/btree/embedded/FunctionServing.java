package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.Mode;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.function.FunctionRuns;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs at this node the functions that clients and other nodes ask for. Thread-safe. */
final class FunctionServing {
  private final EmbeddedEngine engine;
  private final NumberedIndexes indexes;
  private final CommitLedger ledger;
  private volatile @Nullable FunctionRuns runs;

  FunctionServing(EmbeddedEngine engine, NumberedIndexes indexes, CommitLedger ledger) {
    this.engine = engine;
    this.indexes = indexes;
    this.ledger = ledger;
  }

  /** What has the functions. */
  void open(FunctionRuns functions) {
    runs = functions;
  }

  /**
   * Runs a function.
   *
   * @param after what it must see
   * @throws CanopyException whatever goes wrong
   */
  FunctionResult run(
      Request.Execute call, VectorClock after, FunctionRights rights, Statistics statistics) {
    FunctionRuns functions = runs;
    if (functions == null) {
      throw new CanopyException(
          ErrorCode.UNKNOWN_FUNCTION, "the node has no function '" + call.function() + "' yet");
    }
    check(call);
    return functions.runFor(
        new FunctionRequest(
            call.function(),
            call.arguments(),
            place(call),
            begin(call.begin(), after),
            call.attemptsMax()),
        how -> new FunctionTree(engine.beginServed(how), ledger, call.commit(), rights),
        rights,
        statistics);
  }

  private FunctionRequest.@Nullable At place(Request.Execute call) {
    Request.Place place = call.place();
    if (place == null) {
      return null;
    }
    IndexRef index = indexes.ofUser(place.index());
    return new FunctionRequest.At(index, place.key());
  }

  private Begin begin(Step.Begin begin, VectorClock after) {
    return new Begin(
        begin.mode() == Step.Mode.SERIALIZABLE ? Mode.SERIALIZABLE : Mode.UPDATE,
        after,
        engine.pace().nanoTime() + TimeUnit.MILLISECONDS.toNanos(begin.timeoutMillis()),
        begin.label(),
        begin.readFrom(),
        "");
  }

  private static void check(Request.Execute call) {
    Step.Begin begin = call.begin();
    long millis = begin.timeoutMillis();
    if (millis < 1 || millis > TimeUnit.MINUTES.toMillis(Limits.FUNCTION_MINUTES_MAX)) {
      throw invalid(
          "takes 1 ms to " + Limits.FUNCTION_MINUTES_MAX + " minutes, not " + millis + " ms");
    }
    if (begin.label().length() > Limits.LABEL_MAX) {
      throw invalid("has a label of at most " + Limits.LABEL_MAX + " characters");
    }
    if (begin.mode() == Step.Mode.READ_ONLY || !begin.snapshot().isEmpty()) {
      throw invalid("is an update transaction in the present");
    }
    if (call.attemptsMax() < 1 || call.attemptsMax() > TransactionOptions.MAX_ATTEMPTS_MOST) {
      throw invalid("is run 1 to " + TransactionOptions.MAX_ATTEMPTS_MOST + " times");
    }
    if (call.arguments().length > Limits.ARGUMENT_BYTES_MAX) {
      throw invalid("has arguments of at most " + Limits.ARGUMENT_BYTES_MAX + " bytes");
    }
    if (call.place() != null && call.place().key().length > Limits.KEY_BYTES_MAX) {
      throw new CanopyException(
          ErrorCode.KEY_TOO_LARGE, "a key takes " + call.place().key().length + " bytes");
    }
  }

  private static CanopyException invalid(String what) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, "a function " + what);
  }
}
