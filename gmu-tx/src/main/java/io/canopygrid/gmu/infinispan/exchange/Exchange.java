package io.canopygrid.gmu.infinispan.exchange;

import io.canopygrid.gmu.Invariant;
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
 * The questions of one thread to other members and the answers to them, and where the thread serves
 * a member that asks, its own answer. Confined to that thread.
 */
final class Exchange {
  private static final ThreadLocal<@Nullable Exchange> CURRENT = new ThreadLocal<>();

  /** With less time left it is not worth a connection, since a late answer ends the connection. */
  private static final long WAIT_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(25);

  /** The additional time for which an answer may be there unread. */
  private static final long WAIT_NANOS_QUEUED = TimeUnit.MILLISECONDS.toNanos(250);

  private final GridConnections grid;

  /** The exchange in which the thread was when this one began; null: none. */
  private @Nullable Exchange before;

  /** The member that this thread serves; null: none, or it has its answer. */
  private @Nullable Address asker;

  private @Nullable BlockingConnection askersConnection;
  private Frame answer = new Frame();

  /** The member whose answer this thread takes in; null: none. */
  private @Nullable Address heard;

  private final Map<Address, Frame> questions = new LinkedHashMap<>();

  /** Messages to one member. */
  private static final class Frame {
    final List<ByteBuffer> messages = new ArrayList<>();
    private int bytes;

    /** False: there is no room for it. */
    boolean add(ByteBuffer message) {
      int more = BlockingConnection.bytesInFrame(message);
      if (bytes + more > BlockingConnection.FRAME_BYTES_MAX) {
        return false;
      }
      bytes += more;
      messages.add(message);
      return true;
    }
  }

  /** A question whose answer has not been read. */
  private record Asked(Address to, List<ByteBuffer> messages, BlockingConnection connection) {}

  Exchange(GridConnections grid) {
    this.grid = grid;
  }

  /** The exchange of the calling thread in that grid; null: it has none. */
  static @Nullable Exchange current(GridConnections grid) {
    Exchange current = CURRENT.get();
    return current != null && current.grid == grid ? current : null;
  }

  /** From now on the messages that this thread sends are held here. */
  void begin() {
    before = CURRENT.get();
    CURRENT.set(this);
  }

  /** The messages that this thread sends go their former way again. */
  @SuppressWarnings("ReferenceEquality") // the very one
  void end() {
    Invariant.holds(CURRENT.get() == this, "an exchange ends within another one");
    if (before == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(before);
    }
  }

  /** From now on this thread serves a member that has asked something on a connection. */
  void serve(Address member, BlockingConnection connection) {
    asker = member;
    askersConnection = connection;
    answer = new Frame();
  }

  /**
   * Takes a message to the member that this thread serves, or to the member whose answer it takes
   * in just now and that may have to say more to it; false: the message has to go another way.
   */
  boolean answers(Address to, ByteBuffer message) {
    return to.equals(asker) ? answer.add(message) : to.equals(heard) && asks(to, message);
  }

  /** Takes a question to a member; false: the question has to go another way. */
  boolean asks(Address to, ByteBuffer message) {
    return BlockingConnection.bytesInFrame(message) <= BlockingConnection.FRAME_BYTES_MAX
        && questions.computeIfAbsent(to, key -> new Frame()).add(message);
  }

  /** Whether the member that this thread serves has its answer. */
  boolean isAnswered() {
    return asker == null;
  }

  /**
   * Asks, and waits for the answers, and for the answers to the questions to which those lead, and
   * so on. A thread that serves a member sends its own answer as soon as there is one.
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
      // The remaining answers do not concern this thread.
      open.forEach(asked -> grid.hearLater(asked.to(), asked.connection()));
      open.clear();
    } finally {
      open.forEach(asked -> grid.drop(asked.to(), asked.connection()));
    }
  }

  /** Asks all open questions: on connections, or through the channel where there are none. */
  private void ask(BooleanSupplier isDone, long dueNanos, Deque<Asked> open) {
    if (questions.isEmpty()) {
      return;
    }
    boolean waits = !isDone.getAsBoolean() && dueNanos - System.nanoTime() > WAIT_NANOS_MIN;
    questions.forEach((to, frame) -> {
      BlockingConnection connection = waits ? grid.take(to) : null;
      if (connection == null || !isWritten(to, connection, frame, dueNanos)) {
        grid.sendOtherwise(to, frame.messages);
      } else {
        open.add(new Asked(to, frame.messages, connection));
      }
    });
    questions.clear();
  }

  private boolean isWritten(Address to, BlockingConnection connection, Frame frame, long dueNanos) {
    // Other answers may be read before this one, and one of them may be late.
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
      // Ended here: it was late, or the member has left. The protocol says again what it has to.
    } catch (IOException e) {
      // The question or the answer may be lost. To say it twice does no harm.
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
    BlockingConnection connection = askersConnection;
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
