package io.canopygrid.btree.function;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.ledger.ForgottenCommits;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.transaction.Statistics;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the functions that other nodes ask for, on at most {@value #THREADS_MAX} threads; {@value
 * #WAITING_MAX} calls wait for one, and more are refused. Thread-safe.
 */
public final class FunctionServer implements NodeCalls.Server, AutoCloseable {
  static final int THREADS_MAX = 64;
  static final int WAITING_MAX = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(FunctionServer.class);

  private final FunctionServing serving;
  private final ForgottenCommits forgotten;

  /** The calling nodes count their calls themselves. */
  private final Statistics uncounted = new Statistics();

  private final NodeThreads.Pool threads;

  /** A server that runs what it is asked through {@code serving}. */
  public FunctionServer(FunctionServing serving, ForgottenCommits forgotten, NodeThreads threads) {
    this.serving = serving;
    this.forgotten = forgotten;
    this.threads = threads.pool("canopy-functions", THREADS_MAX, WAITING_MAX);
  }

  @Override
  public void asked(byte[] question, Consumer<byte[]> answer) {
    if (!threads.submit(() -> answer.accept(CallCodec.encode(answerTo(question))))) {
      answer.accept(
          CallCodec.encode(
              new CallAnswer.Failure(
                  new CanopyException(
                      ErrorCode.OVERLOADED, "too many functions wait at the node"))));
    }
  }

  private CallAnswer answerTo(byte[] question) {
    try {
      NamedCall call = CallCodec.decodeCall(question);
      forgotten.forget(call.forget());
      FunctionResult result = serving.run(call, FunctionRights.ALL, uncounted, null);
      return new CallAnswer.Result(result.bytes(), result.clock(), result.remoteRequests());
    } catch (CanopyException e) {
      return new CallAnswer.Failure(e);
    } catch (RuntimeException e) {
      LOG.error("a function for another node failed", e);
      return new CallAnswer.Failure(
          new CanopyException(
              ErrorCode.INTERNAL_ERROR, e.toString(), CommitState.UNKNOWN, null, e));
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
