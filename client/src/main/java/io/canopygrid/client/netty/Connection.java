package io.canopygrid.client.netty;

import io.canopygrid.ErrorCode;
import io.canopygrid.GridInfo;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.SeenClock;
import io.canopygrid.wire.client.WireCodec;
import io.netty.channel.Channel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one server, on which any number of requests are under way at once. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be sent ends the connection
public final class Connection {
  /** A server keeps for so long what an ended reader saw: short beside any transaction's time. */
  private static final long HELD_MILLIS = 10;

  private static final int HELD_BYTES_MAX = 1_024;
  private static final int HELD_BYTES = 64;

  private final String address;
  private final Channel channel;
  private final Reply.Welcome welcome;

  /** Null: the event loop alone reads. Written before anybody uses the connection. */
  private @Nullable SharedReading reading;

  /** Guarded by {@link #order}. */
  private final SharedWriting writing;

  /** The difference between the grid's time and {@link System#nanoTime}. */
  private final long serverNanos;

  private final Map<Integer, Answers> waiting = new ConcurrentHashMap<>();
  private final AtomicInteger streams = new AtomicInteger();
  private final AtomicInteger transactions = new AtomicInteger();

  /** Held while a message is made and handed over: clocks go out in the order they are counted. */
  private final ReentrantLock order = new ReentrantLock();

  private final SeenClock seen = new SeenClock();

  /** Whole frames that go out with the next one; guarded by {@link #order}. */
  private ByteWriter held = new ByteWriter(HELD_BYTES);

  /** Whether the event loop will look after what is held; guarded by {@link #order}. */
  private boolean heldIsTimed;

  /** The reason why it ended; null while it is open. */
  private volatile @Nullable LostConnectionException ended;

  private volatile boolean draining;

  /**
   * A connection that is open.
   *
   * @param socket for the threads that say something; null: the event loop alone writes
   */
  Connection(
      String address, Channel channel, Reply.Welcome welcome, @Nullable SocketChannel socket) {
    this.address = address;
    this.channel = channel;
    this.welcome = welcome;
    this.writing = new SharedWriting(channel, socket, order);
    this.serverNanos = TimeUnit.MILLISECONDS.toNanos(welcome.serverMillis()) - System.nanoTime();
  }

  /** Takes what the threads that wait read. */
  SharedReading.Listener listener() {
    return new SharedReading.Listener() {
      @Override
      public void received(WireCodec.Framed framed) {
        Connection.this.received(framed);
      }

      @Override
      public void broke(Exception why) {
        end(ClosingErrors.of(why));
      }
    };
  }

  /** From now on the threads that wait read the connection as well; before anybody uses it. */
  void readBy(SharedReading shared) {
    reading = shared;
  }

  /** The address of the server, {@code host:port}. */
  public String address() {
    return address;
  }

  /** The server's node. */
  public String node() {
    return welcome.node();
  }

  /** The server's grid. */
  public GridInfo grid() {
    return welcome.grid();
  }

  /** The description that the server gave of itself. */
  public Reply.Welcome welcome() {
    return welcome;
  }

  /** The time of the grid, in which names of commits are made. */
  public long serverMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() + serverNanos);
  }

  /** Whether new transactions can begin here. */
  public boolean isUsable() {
    return ended == null && !draining;
  }

  /** A number for a transaction that none has on this connection. */
  public int nextTransaction() {
    return transactions.incrementAndGet() & Integer.MAX_VALUE;
  }

  /** Asks something outside of transactions; the future fails with a lost connection only. */
  public CompletableFuture<Answer> ask(Request request) {
    return ask(known -> request);
  }

  /**
   * Asks something.
   *
   * @param request makes the request; what it says of clocks it gets from the function that it is
   *     given, which leaves out what was said before
   */
  public CompletableFuture<Answer> ask(
      Function<Function<VectorClock, VectorClock>, Request> request) {
    OneAnswer answer = new OneAnswer(reading);
    send(nextStream(), answer, request);
    return answer.future();
  }

  /** Opens a cursor. */
  public Pages open(Function<Function<VectorClock, VectorClock>, Request> scan) {
    Pages pages = new Pages(nextStream(), reading);
    send(pages.stream(), pages, scan);
    return pages;
  }

  /** Ends a cursor before its time, or forgets one whose transaction has ended. */
  public void close(Pages cursor, boolean transactionEnded) {
    if (waiting.remove(cursor.stream()) != null && !transactionEnded) {
      send(cursor.stream(), null, known -> new Request.CloseCursor());
    }
  }

  /** Says something of a cursor. */
  public void say(Pages cursor, Request request) {
    send(cursor.stream(), null, known -> request);
  }

  /** Says something that has no answer. */
  public void say(Request request) {
    send(nextStream(), null, known -> request);
  }

  /**
   * Says something that has no answer and that nobody waits for: with the next message, or after
   * {@value #HELD_MILLIS} ms.
   */
  public void sayLater(Request request) {
    order.lock();
    try {
      if (ended != null) {
        return;
      }
      held.writeRaw(WireCodec.encode(nextStream(), request));
      if (held.size() > HELD_BYTES_MAX) {
        sayHeld();
      } else if (!heldIsTimed) {
        heldIsTimed = true;
        channel.eventLoop().schedule(this::heldLongEnough, HELD_MILLIS, TimeUnit.MILLISECONDS);
      }
    } finally {
      order.unlock();
    }
  }

  private void heldLongEnough() {
    order.lock();
    try {
      heldIsTimed = false;
      sayHeld();
    } finally {
      order.unlock();
    }
  }

  private void sayHeld() {
    if (held.size() > 0 && ended == null) {
      byte[] frames = held.toBytes();
      held = new ByteWriter(HELD_BYTES);
      writing.write(frames);
    }
  }

  /** Writes a frame, behind what is held. */
  private void write(byte[] frame) {
    if (held.size() == 0) {
      writing.write(frame);
    } else {
      held.writeRaw(frame);
      sayHeld();
    }
  }

  private int nextStream() {
    int stream = streams.incrementAndGet();
    return stream == 0 ? streams.incrementAndGet() : stream;
  }

  private void send(
      int stream,
      @Nullable Answers answers,
      Function<Function<VectorClock, VectorClock>, Request> request) {
    order.lock();
    try {
      LostConnectionException before = ended;
      if (before != null) {
        if (answers != null) {
          answers.lost(new LostConnectionException(before.code(), reason(before), false));
        }
        return;
      }
      byte[] frame = WireCodec.encode(stream, request.apply(seen::toSay));
      if (answers != null) {
        waiting.put(stream, answers);
      }
      write(frame);
    } finally {
      order.unlock();
    }
  }

  /** Says something of the connection as a whole. */
  void say(ClientMessage message) {
    order.lock();
    try {
      if (ended == null) {
        write(WireCodec.encode(0, message));
      }
    } finally {
      order.unlock();
    }
  }

  /** Takes a message of the server, on the thread that reads. */
  void received(WireCodec.Framed framed) {
    ClientMessage message = framed.message();
    if (message instanceof ClientMessage.Ping ping) {
      say(new ClientMessage.Pong(ping.number()));
    } else if (message instanceof Reply.Drain) {
      draining = true;
    } else if (message instanceof ClientMessage.Goodbye goodbye) {
      end(ClosingErrors.meaning(goodbye));
    } else if (message instanceof Reply reply) {
      answered(framed.stream(), reply);
    }
  }

  private void answered(int stream, Reply reply) {
    Answers answers = waiting.get(stream);
    VectorClock known = heard(reply);
    if (answers != null && answers.answered(new Answer(reply, known))) {
      waiting.remove(stream);
    }
  }

  private VectorClock heard(Reply reply) {
    order.lock();
    try {
      if (reply instanceof Reply.InTransaction said) {
        return seen.heard(said.seen().clock());
      }
      return reply instanceof Reply.Outcome outcome ? seen.heard(outcome.seen()) : seen.known();
    } finally {
      order.unlock();
    }
  }

  /** Ends the connection, on which no answer comes any more. */
  void end(LostConnectionException why) {
    LostConnectionException first; // another thread may hear of it in another way
    order.lock();
    try {
      first = ended == null ? why : ended;
      ended = first;
    } finally {
      order.unlock();
    }
    channel.close();
    for (Integer stream : List.copyOf(waiting.keySet())) {
      Answers answers = waiting.remove(stream);
      if (answers != null) {
        answers.lost(new LostConnectionException(first.code(), reason(first), true));
      }
    }
    if (reading != null) {
      reading.close();
    }
  }

  /** Closes it from this side. */
  public void close(String why) {
    end(new LostConnectionException(ErrorCode.NOT_CONNECTED, why, false));
  }

  private String reason(LostConnectionException why) {
    return address + " (" + why.getMessage() + ")";
  }
}
