package io.canopygrid.function;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.Functions;
import io.canopygrid.Limits;
import io.canopygrid.TransactionFunction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.transaction.Bodies;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.transaction.Watching;
import io.canopygrid.typed.Handle;
import io.canopygrid.typed.IndexOpener;
import io.canopygrid.typed.TypedIndex;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs the functions of one handle, for itself and for others. Thread-safe. */
public final class FunctionRuns {
  /** Most functions that are registered at one handle. */
  private static final int FUNCTIONS_MAX = 10_000;

  private final Map<String, TransactionFunction> functions =
      new ConcurrentHashMap<>(Functions.all());

  private final Bodies bodies;
  private final Handle owner;
  private final IndexOpener opener;

  /** The functions of a new handle, which has the built-in ones. */
  public FunctionRuns(Bodies bodies, Handle owner, IndexOpener opener) {
    this.bodies = bodies;
    this.owner = owner;
    this.opener = opener;
  }

  /**
   * Registers a function of the application.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  public void register(String name, TransactionFunction function) {
    FunctionNames.checked(name);
    if (functions.size() >= FUNCTIONS_MAX) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, FUNCTIONS_MAX + " functions are registered already");
    }
    if (functions.putIfAbsent(name, function) != null) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "function '" + name + "' is registered already");
    }
  }

  /** Runs a call of this handle itself, as a transaction of its own. */
  public byte[] runOwn(FunctionRequest request, Bodies.Terms terms) {
    TransactionFunction function = find(request.function());
    return bodies.run(
        terms,
        transaction -> body(transaction, opener, request.at()),
        body -> apply(request, function, body));
  }

  /**
   * Runs a call of another node or client.
   *
   * @param begin begins its transaction
   * @param rights the rights of the function
   * @param statistics where it is counted
   * @param watching hears of it
   * @return its result, or that of an earlier run of the same call
   * @throws CanopyException for each failure
   */
  public FunctionResult runFor(
      FunctionRequest request,
      Function<Begin, FunctionCommit> begin,
      FunctionRights rights,
      Statistics statistics,
      Watching watching) {
    TransactionFunction function = find(request.function());
    AtomicReference<@Nullable VectorClock> seen = new AtomicReference<>();
    Bodies.Terms terms =
        new Bodies.Terms(
            request.how(), request.attemptsMax(), begin::apply, seen::set, statistics, watching);
    EngineTransaction last =
        watching.over(() ->
            bodies.run(
                terms,
                transaction -> body(transaction, new RightOpener(rights), request.at()),
                body -> {
                  keeper(body.engine()).keep(apply(request, function, body));
                  return body.engine();
                }));
    VectorClock clock = seen.get();
    return new FunctionResult(
        keeper(last).kept(),
        clock == null ? VectorClock.ZERO : clock,
        last.remoteRequests(),
        last.redirects());
  }

  /**
   * Makes calls at one place take turns: a function that reads its entry will probably change it.
   */
  private FunctionBody body(
      EngineTransaction transaction, IndexOpener open, FunctionRequest.@Nullable At at) {
    if (at != null) {
      transaction.queueAt(at.index(), at.key());
    }
    return new FunctionBody(owner, transaction, open, at);
  }

  private static FunctionCommit keeper(EngineTransaction transaction) {
    if (transaction instanceof FunctionCommit commit) {
      return commit;
    }
    throw new IllegalStateException(transaction + " keeps no results");
  }

  /** Opens only what may be opened. */
  private final class RightOpener implements IndexOpener {
    private final FunctionRights rights;

    RightOpener(FunctionRights rights) {
      this.rights = rights;
    }

    @Override
    public <K, V> TypedIndex<K, V> open(String name, Codec<K> keys, Codec<V> values) {
      rights.open(name);
      return opener.open(name, keys, values);
    }
  }

  private TransactionFunction find(String name) {
    if (name.equals(LoadFunction.NAME)) {
      return LoadFunction::load;
    }
    TransactionFunction function = functions.get(name);
    if (function == null) {
      throw new CanopyException(
          ErrorCode.UNKNOWN_FUNCTION, "the node has no function '" + name + "'");
    }
    return function;
  }

  private static byte[] apply(
      FunctionRequest request, TransactionFunction function, FunctionBody body) {
    byte @Nullable [] result;
    try {
      result = function.apply(body, request.arguments());
    } catch (CanopyException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new CanopyException(
          ErrorCode.FUNCTION_FAILED, "function '" + request.function() + "' threw " + e, e);
    }
    if (result == null) {
      throw new CanopyException(
          ErrorCode.FUNCTION_FAILED, "the result of function '" + request.function() + "' is null");
    }
    if (result.length > Limits.RESULT_BYTES_MAX) {
      throw new CanopyException(
          ErrorCode.VALUE_TOO_LARGE,
          String.format(
              Locale.ROOT,
              "the result of function '%s' takes %d bytes, at most %d",
              request.function(),
              result.length,
              Limits.RESULT_BYTES_MAX),
          CommitState.NOT_COMMITTED,
          null,
          null);
    }
    return result;
  }
}
