package io.canopygrid.gmu.infinispan.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * What one thread asks others and hears from them, and where it serves somebody who asks, what it
 * answers. Of one thread.
 */
final class Exchange {
  private static final ThreadLocal<@Nullable Exchange> CURRENT = new ThreadLocal<>();

  /** With less time left it is not worth a connection, which ends where the answer is late. */
  private static final long WAIT_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(25);

  /** How much longer an answer may be there unread. */
  private static final long WAIT_NANOS_QUEUED = TimeUnit.MILLISECONDS.toNanos(250);

  private final Exchanges grid;

  /** Of a thread that has one already. */
  private @Nullable Exchange before;

  /** Whom this thread serves; null: nobody, or it has answered. */
  private @Nullable Address asker;

  private @Nullable Connection askersConnection;
  private Frame answer = new Frame();

  /** Whose answer this thread takes in; null: nobody's. */
  private @Nullable Address heard;

  private final Map<Address, Frame> questions = new LinkedHashMap<>();

  /** Messages to one member. */
  private static final class Frame {
    final List<ByteBuffer> messages = new ArrayList<>();
    private int bytes;

    /** False: there is no room for it. */
    boolean add(ByteBuffer message) {
      int more = Connection.bytesInFrame(message);
      if (bytes + more > Connection.FRAME_BYTES_MAX) {
        return false;
      }
      bytes += more;
      messages.add(message);
      return true;
    }
  }

  /** A question whose answer has not been read. */
  private record Asked(Address to, List<ByteBuffer> messages, Connection connection) {}

  Exchange(Exchanges grid) {
    this.grid = grid;
  }

  /** What this thread has to do with others of that grid; null: it does not wait for them. */
  static @Nullable Exchange current(Exchanges grid) {
    Exchange current = CURRENT.get();
    return current != null && current.grid == grid ? current : null;
  }

  /** From now on what this thread sends is held here. */
  void begin() {
    before = CURRENT.get();
    CURRENT.set(this);
  }

  /** What this thread sends goes its way of before again. */
  void end() {
    if (before == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(before);
    }
  }

  /** From now on this thread serves a member that has asked something on a connection. */
  void serve(Address member, Connection connection) {
    asker = member;
    askersConnection = connection;
    answer = new Frame();
  }

  /**
   * Takes what goes to the one whom this thread serves, or to the one whose answer it takes in just
   * now and who may have to say more to it; false: it has to go another way.
   */
  boolean answers(Address to, ByteBuffer message) {
    return to.equals(asker) ? answer.add(message) : to.equals(heard) && asks(to, message);
  }

  /** Takes what asks a member something; false: it has to go another way. */
  boolean asks(Address to, ByteBuffer message) {
    return Connection.bytesInFrame(message) <= Connection.FRAME_BYTES_MAX
        && questions.computeIfAbsent(to, key -> new Frame()).add(message);
  }

  /** Whether the one whom this thread serves has its answer. */
  boolean isAnswered() {
    return asker == null;
  }

  /**
   * Asks, and waits for the answers and for those to what they make this thread ask, and so on. Who
   * serves somebody sends its own answer as soon as there is one: nobody waits longer for what is
   * known.
   *
   * @param isDone whether this thread has all that it waits for
   */
  void hear(BooleanSupplier isDone, long dueNanos) {
    Deque<Asked> open = new ArrayDeque<>();
    try {
      answerIfAny();
      ask(isDone, dueNanos, open);
      while (!open.isEmpty() && !isDone.getAsBoolean()) {
        hear(open.remove(), dueNanos);
        answerIfAny();
        ask(isDone, dueNanos, open);
      }
      // What else is answered does not concern this thread.
      open.forEach(asked -> grid.hearLater(asked.to(), asked.connection()));
      open.clear();
    } finally {
      open.forEach(asked -> grid.drop(asked.to(), asked.connection()));
    }
  }

  /** Asks all that is to be asked: on connections, or through the channel where there are none. */
  private void ask(BooleanSupplier isDone, long dueNanos, Deque<Asked> open) {
    if (questions.isEmpty()) {
      return;
    }
    boolean waits = !isDone.getAsBoolean() && dueNanos - System.nanoTime() > WAIT_NANOS_MIN;
    questions.forEach((to, frame) -> {
      Connection connection = waits ? grid.connection(to) : null;
      if (connection == null || !isWritten(to, connection, frame, dueNanos)) {
        grid.sendOtherwise(to, frame.messages);
      } else {
        open.add(new Asked(to, frame.messages, connection));
      }
    });
    questions.clear();
  }

  private boolean isWritten(Address to, Connection connection, Frame frame, long dueNanos) {
    // Others may be read before it, and one of them be late.
    connection.awaits(dueNanos + WAIT_NANOS_QUEUED);
    try {
      connection.write(frame.messages);
      return true;
    } catch (IOException e) {
      grid.drop(to, connection);
      return false;
    }
  }

  private void hear(Asked asked, long dueNanos) {
    Address to = asked.to();
    long mayTakeUntil = System.nanoTime() + WAIT_NANOS_MIN;
    asked.connection().awaits(dueNanos - mayTakeUntil > 0 ? dueNanos : mayTakeUntil);
    boolean complete = false;
    heard = to;
    try {
      asked.connection().read((bytes, offset, length) -> grid.received(to, bytes, offset, length));
      complete = true;
    } catch (AsynchronousCloseException e) {
      // Ended here, as it was late, or the member has left: the protocol says again what it has to.
    } catch (IOException e) {
      // What was on its way may be lost. Said twice it does no harm.
      grid.sendOtherwise(to, asked.messages());
    } finally {
      heard = null;
      if (complete) {
        grid.giveBack(to, asked.connection());
      } else {
        grid.drop(to, asked.connection());
      }
    }
  }

  private void answerIfAny() {
    if (!answer.messages.isEmpty()) {
      answer();
    }
  }

  /** Sends the answer, unless that was done. */
  void answer() {
    Address to = asker;
    Connection connection = askersConnection;
    if (to == null || connection == null) {
      return;
    }
    asker = null;
    try {
      connection.write(answer.messages);
    } catch (IOException e) {
      connection.close();
      grid.sendOtherwise(to, answer.messages);
    }
  }
}
