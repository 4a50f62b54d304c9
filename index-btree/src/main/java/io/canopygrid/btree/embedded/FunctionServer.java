package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.spi.FunctionResult;
import io.canopygrid.spi.FunctionRights;
import io.canopygrid.spi.Statistics;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the functions that other nodes ask for, on at most {@value #THREADS_MAX} threads; {@value
 * #WAITING_MAX} calls wait for one, and more are refused. Thread-safe.
 */
final class FunctionServer implements NodeCalls.Server, AutoCloseable {
  static final int THREADS_MAX = 64;
  static final int WAITING_MAX = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(FunctionServer.class);

  private final FunctionServing serving;
  private final CommitLedger ledger;

  /** Calls of others are counted by those. */
  private final Statistics uncounted = new Statistics();

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS_MAX,
          THREADS_MAX,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING_MAX),
          FunctionServer::thread,
          new ThreadPoolExecutor.AbortPolicy());

  FunctionServer(FunctionServing serving, CommitLedger ledger) {
    this.serving = serving;
    this.ledger = ledger;
    threads.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "canopy-functions");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void asked(byte[] question, Consumer<byte[]> answer) {
    try {
      threads.execute(() -> answer.accept(FunctionFrames.encode(answerTo(question))));
    } catch (RejectedExecutionException e) {
      answer.accept(
          FunctionFrames.encode(
              Reply.Failure.of(
                  new CanopyException(
                      ErrorCode.OVERLOADED, "too many functions wait at the node"))));
    }
  }

  private Reply answerTo(byte[] question) {
    try {
      Request.Execute call = FunctionFrames.decodeCall(question);
      ledger.start();
      ledger.forget(call.forget());
      FunctionResult result =
          serving.run(call, call.begin().after(), FunctionRights.ALL, uncounted);
      return new Reply.Result(
          new Reply.Seen(result.redirects() > 0, result.clock()),
          result.bytes(),
          result.remoteRequests());
    } catch (CanopyException e) {
      return Reply.Failure.of(e);
    } catch (RuntimeException e) {
      LOG.error("a function for another node failed", e);
      return Reply.Failure.of(
          new CanopyException(
              ErrorCode.INTERNAL_ERROR, e.toString(), CommitState.UNKNOWN, null, e));
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
