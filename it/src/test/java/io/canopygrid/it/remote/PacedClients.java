package io.canopygrid.it.remote;

import io.canopygrid.Codec;
import io.canopygrid.ReadFrom;
import io.canopygrid.client.netty.Answer;
import io.canopygrid.client.netty.ConnectSettings;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.Connector;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Many connections to one server with two threads for all: idle ones, and active ones of which each
 * asks a few times in a second.
 */
final class PacedClients implements AutoCloseable {
  private static final int CONNECT_MILLIS = 60_000;
  private static final long PING_MILLIS = 20_000;
  private static final long PAUSE_MILLIS = 200;
  private static final int KEYS = 1_000;
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Connector connector =
      new Connector(
          new ConnectSettings(null, null, false, null, CONNECT_MILLIS, PING_MILLIS),
          UUID.randomUUID());
  private final List<Connection> idle = new ArrayList<>();
  private final List<Paced> active = new ArrayList<>();
  private final AtomicLong operations = new AtomicLong();
  private final AtomicInteger late = new AtomicInteger();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;

  /** Connects all clients; the active ones begin at once. */
  PacedClients(String address, int idleCount, int activeCount, int index, long seed) {
    String host = address.substring(0, address.lastIndexOf(':'));
    int port = Integer.parseInt(address.substring(host.length() + 1));
    List<CompletableFuture<Connection>> opening = new ArrayList<>();
    for (int i = 0; i < idleCount + activeCount; i++) {
      opening.add(connector.open(host, port, null));
    }
    opening.forEach(connection -> idle.add(connection.join()));
    SplittableRandom random = new SplittableRandom(seed);
    for (Connection connection : idle.subList(idleCount, idle.size())) {
      active.add(new Paced(connection, index, random.split()));
    }
    idle.subList(idleCount, idle.size()).clear();
    active.forEach(paced -> connector.later(paced::turn, random.nextLong(PAUSE_MILLIS)));
  }

  /** One active connection. Confined to one of the connector's threads at a time. */
  private final class Paced {
    private final Connection connection;
    private final int index;
    private final SplittableRandom random;
    private volatile boolean waiting;

    Paced(Connection connection, int index, SplittableRandom random) {
      this.connection = connection;
      this.index = index;
      this.random = random;
    }

    void turn() {
      if (stopped) {
        return;
      }
      if (waiting) {
        late.incrementAndGet();
      } else {
        waiting = true;
        var unused = connection.ask(request()).whenComplete(this::answered);
      }
      connector.later(this::turn, PAUSE_MILLIS);
    }

    private void answered(@Nullable Answer answer, @Nullable Throwable e) {
      waiting = false;
      if (answer != null && !(answer.reply() instanceof Reply.Failure)) {
        operations.incrementAndGet();
      } else if (!stopped) {
        failures.add(answer == null ? String.valueOf(e) : answer.reply().toString());
      }
    }

    private Request request() {
      byte[] key = Codec.int64().encode((long) random.nextInt(KEYS));
      int transaction = connection.nextTransaction();
      int kind = random.nextInt(10);
      if (kind < 7) {
        return new Request.Get(step(transaction, Step.Mode.READ_ONLY, List.of()), index, key);
      }
      if (kind < 8) {
        return new Request.CountRange(
            step(transaction, Step.Mode.READ_ONLY, List.of()), index, KeyRange.of(key, null));
      }
      byte[] value = Codec.string().encode("value " + random.nextLong());
      Step.Write write = new Step.Write(index, key, value);
      return new Request.Commit(
          step(transaction, Step.Mode.UPDATE, List.of(write)), null, List.of());
    }

    private static Step step(int transaction, Step.Mode mode, List<Step.Write> writes) {
      Step.Begin begin =
          new Step.Begin(mode, ReadFrom.PRIMARY, TIMEOUT_MILLIS, "paced", "", VectorClock.ZERO);
      return new Step(transaction, begin, writes, mode == Step.Mode.READ_ONLY);
    }
  }

  /** The number of operations that were done. */
  long operations() {
    return operations.get();
  }

  /** The number of times that one was put off because the one before was not answered yet. */
  int late() {
    return late.get();
  }

  /** The failures, in words. */
  Queue<String> failures() {
    return failures;
  }

  /** The number of open connections. */
  long open() {
    return idle.stream().filter(Connection::isUsable).count()
        + active.stream().filter(paced -> paced.connection.isUsable()).count();
  }

  /** Lets time pass. */
  static void pause(long millis) {
    new CompletableFuture<Void>().completeOnTimeout(null, millis, TimeUnit.MILLISECONDS).join();
  }

  @Override
  public void close() {
    stopped = true;
    idle.forEach(connection -> connection.close("done"));
    active.forEach(paced -> paced.connection.close("done"));
    connector.close();
  }
}
