package io.canopygrid.btree.function;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.TransactionListener;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.catalog.NumberedIndexes;
import io.canopygrid.btree.ledger.CommitLedger;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.Pace;
import io.canopygrid.engine.StepRecorder;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.function.FunctionRuns;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.transaction.Watching;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs at this node the functions that clients and other nodes ask for. Thread-safe. */
public final class FunctionServing {
  private final Function<Begin, TreeTransaction> begin;
  private final Pace pace;
  private final NumberedIndexes indexes;
  private final CommitLedger ledger;
  private volatile @Nullable FunctionRuns runs;

  /**
   * Runs functions in transactions of a node.
   *
   * @param begin begins a transaction of a caller elsewhere
   * @param pace the time of its deadlines
   */
  public FunctionServing(
      Function<Begin, TreeTransaction> begin,
      Pace pace,
      NumberedIndexes indexes,
      CommitLedger ledger) {
    this.begin = begin;
    this.pace = pace;
    this.indexes = indexes;
    this.ledger = ledger;
  }

  /** Runs these functions from now on; before, no function is known. */
  public void open(FunctionRuns functions) {
    runs = functions;
  }

  /**
   * Runs a function.
   *
   * @param rights what the function may do
   * @param statistics where the call is counted
   * @param explained where its steps are recorded; null: nowhere
   * @throws CanopyException for whatever goes wrong
   */
  public FunctionResult run(
      NamedCall call,
      FunctionRights rights,
      Statistics statistics,
      @Nullable ExplainedCall explained) {
    FunctionRuns functions = runs;
    if (functions == null) {
      throw new CanopyException(
          ErrorCode.UNKNOWN_FUNCTION, "the node has no function '" + call.function() + "' yet");
    }
    check(call);
    return functions.runFor(
        new FunctionRequest(
            call.function(), call.arguments(), place(call), terms(call.how()), call.attemptsMax()),
        how -> new FunctionTree(begun(how, explained), ledger, call.commit(), rights),
        rights,
        statistics,
        Watching.of(
            explained == null ? null : (method, options) -> explained,
            StepRecorder.NONE,
            TransactionListener.Call.EXECUTE,
            TransactionOptions.DEFAULTS));
  }

  private TreeTransaction begun(Begin how, @Nullable ExplainedCall explained) {
    TreeTransaction tree = begin.apply(how);
    if (explained != null) {
      tree.explainIn(explained.explanation());
    }
    return tree;
  }

  private FunctionRequest.@Nullable At place(NamedCall call) {
    NamedCall.Place place = call.place();
    return place == null
        ? null
        : new FunctionRequest.At(indexes.ofUser(place.index()), place.key());
  }

  private Begin terms(NamedCall.How how) {
    return new Begin(
        how.mode(),
        how.after(),
        pace.nanoTime() + TimeUnit.MILLISECONDS.toNanos(how.timeoutMillis()),
        how.label(),
        how.readFrom(),
        "");
  }

  private static void check(NamedCall call) {
    NamedCall.How how = call.how();
    long millis = how.timeoutMillis();
    if (millis < 1 || millis > TimeUnit.MINUTES.toMillis(Limits.FUNCTION_MINUTES_MAX)) {
      throw invalid(
          "takes 1 ms to " + Limits.FUNCTION_MINUTES_MAX + " minutes, not " + millis + " ms");
    }
    if (how.label().length() > Limits.LABEL_MAX) {
      throw invalid("has a label of at most " + Limits.LABEL_MAX + " characters");
    }
    if (how.mode() == Mode.READ_ONLY) {
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
