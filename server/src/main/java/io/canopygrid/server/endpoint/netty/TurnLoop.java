package io.canopygrid.server.endpoint.netty;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.http.ApiResponse;
import io.canopygrid.server.endpoint.http.ProblemAnswer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets workers take the turns of one answer, one after the other, and waits between them without a
 * thread. All methods are called on the event loop.
 */
final class TurnLoop {
  /** The most answers of a server that have turns: each may cost every node something at each. */
  private static final int OPEN_MAX = 32;

  private final EventLoop loop;
  private final Service service;
  private final ApiResponse.Turns turns;
  private @Nullable ScheduledFuture<?> next;
  private boolean isCounted;
  private boolean isTaken;
  private boolean isClosed;

  /** Turns that become its own. */
  TurnLoop(EventLoop loop, Service service, ApiResponse.Turns turns) {
    this.loop = loop;
    this.service = service;
    this.turns = turns;
  }

  /** Counts this one; false, and closed, where there are too many. */
  boolean open() {
    isCounted = true;
    boolean isOpen = service.metrics().eventStreams().incrementAndGet() <= OPEN_MAX;
    if (!isOpen) {
      close();
    }
    return isOpen;
  }

  /** The answer to a request for which {@link #open} was false. */
  static ApiResponse tooMany() {
    return ProblemAnswer.of(
        503,
        ErrorCode.OVERLOADED,
        "the server has " + OPEN_MAX + " streams and waiting requests, which is the most");
  }

  /**
   * Takes turns, each after a pause, until there is an answer.
   *
   * @param made hears the answer
   * @param otherwise hears why there will be none
   */
  void later(Consumer<ApiResponse> made, Consumer<CanopyException> otherwise) {
    next = loop.schedule(() -> turn(made, otherwise), turns.pauseMillis(), TimeUnit.MILLISECONDS);
  }

  private void turn(Consumer<ApiResponse> made, Consumer<CanopyException> otherwise) {
    if (service.isDraining()) {
      otherwise.accept(new CanopyException(ErrorCode.NOT_CONNECTED, "the server is about to stop"));
      return;
    }
    isTaken = true;
    boolean isAccepted =
        service
            .workers()
            .submit(() -> {
              ApiResponse answer = null;
              try {
                answer = turns.next();
              } finally {
                ApiResponse told = answer;
                loop.execute(() -> taken(told, made, otherwise));
              }
            });
    if (!isAccepted) {
      isTaken = false;
      otherwise.accept(new CanopyException(ErrorCode.OVERLOADED, "the server has too much to do"));
    }
  }

  private void taken(
      @Nullable ApiResponse answer,
      Consumer<ApiResponse> made,
      Consumer<CanopyException> otherwise) {
    isTaken = false;
    if (isClosed) {
      free();
    } else if (answer == null) {
      later(made, otherwise);
    } else {
      made.accept(answer);
    }
  }

  /** Ends the turns: at once, or when the one that is being taken has ended. */
  void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    if (next != null) {
      next.cancel(false);
    }
    if (isCounted) {
      service.metrics().eventStreams().decrementAndGet();
    }
    if (!isTaken) {
      free();
    }
  }

  private void free() {
    if (!service.workers().submit(turns::close)) {
      turns.close();
    }
  }
}
