package io.canopygrid.runtime;

import io.canopygrid.CanopyException;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.transaction.LabelCounters;
import io.canopygrid.transaction.Session;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.transaction.Watching;
import org.jspecify.annotations.Nullable;

/** Functions that are run elsewhere for a handle, and counted here. Thread-safe. */
final class SentFunctions {
  private final Engine engine;
  private final Session session;
  private final Statistics statistics;

  SentFunctions(Engine engine, Session session, Statistics statistics) {
    this.engine = engine;
    this.session = session;
    this.statistics = statistics;
  }

  /** The result of a function that was run elsewhere; null: the function is to be run here. */
  @Nullable FunctionResult run(FunctionRequest request, Watching watching) {
    LabelCounters counters = statistics.of(request.how().label());
    long beganNanos = engine.pace().nanoTime();
    try {
      FunctionResult result = engine.execute(request);
      if (result != null) {
        session.saw(request.how().grid(), result.clock());
        counters.attempted();
        statistics.executed(counters, result, engine.pace().nanoTime() - beganNanos);
        watching.executed(result);
      }
      return result;
    } catch (CanopyException e) {
      counters.attempted();
      counters.failed(e.code());
      throw e;
    }
  }
}
