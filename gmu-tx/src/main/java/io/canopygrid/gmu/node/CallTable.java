package io.canopygrid.gmu.node;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.spi.LostCallException;
import io.canopygrid.gmu.spi.NodeCalls;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries questions over a transport that carries bytes, and keeps those that wait for an answer.
 * Each frame has a mark, its kind, and the number of its question. Thread-safe.
 */
public final class CallTable implements NodeCalls {
  private static final Logger LOG = LoggerFactory.getLogger(CallTable.class);

  /** Questions under way at once; one more is lost. */
  private static final int WAITING_MAX = 10_000;

  /** Tells a frame from a message: no protocol version, and not the mark of anything else. */
  private static final byte MARK = (byte) 0xCA;

  private static final byte QUESTION = 1;
  private static final byte ANSWER = 2;

  /** Says that the member answers no questions. */
  private static final byte NOBODY = 3;

  private static final String LEFT = "this node has left";
  private static final int HEAD_BYTES = 2 + Long.BYTES;

  private final Sender sender;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
  private volatile @Nullable Server server;

  /** Set before the waiting questions are ended, so that a later one ends itself. */
  private volatile boolean closed;

  /** A table over a transport. */
  public CallTable(Sender sender) {
    this.sender = sender;
  }

  /** Sends frames. Does not block. */
  @FunctionalInterface
  public interface Sender {
    /** Sends a frame; false: the member is not there. */
    boolean send(NodeId to, byte[] frame);
  }

  private record Waiting(NodeId to, CompletableFuture<byte[]> answer) {}

  @Override
  public CompletableFuture<byte[]> ask(NodeId to, byte[] question) {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    if (waiting.size() >= WAITING_MAX) {
      answer.completeExceptionally(new LostCallException(WAITING_MAX + " questions are waiting"));
      return answer;
    }
    long number = numbers.incrementAndGet();
    Invariant.holds(
        waiting.put(number, new Waiting(to, answer)) == null, "question %s twice", number);
    var unused = answer.whenComplete((bytes, e) -> waiting.remove(number));
    if (closed) {
      lost(number, LEFT);
    } else if (!sender.send(to, frame(QUESTION, number, question))) {
      answer.completeExceptionally(new LostCallException(to + " is not there"));
    }
    return answer;
  }

  @Override
  public void serve(Server answers) {
    server = answers;
  }

  private static byte[] frame(byte kind, long number, byte[] body) {
    return ByteBuffer.allocate(HEAD_BYTES + body.length)
        .put(MARK)
        .put(kind)
        .putLong(number)
        .put(body)
        .array();
  }

  /** Whether this is a frame, and no message of the protocol. */
  public static boolean isFrame(byte[] bytes, int offset, int length) {
    return length >= HEAD_BYTES && bytes[offset] == MARK;
  }

  /** Takes in a frame. A caller that waits for an answer may go on on this thread. */
  public void received(NodeId source, byte[] bytes, int offset, int length) {
    ByteBuffer in = ByteBuffer.wrap(bytes, offset + 1, length - 1);
    byte kind = in.get();
    long number = in.getLong();
    byte[] body = Arrays.copyOfRange(bytes, offset + HEAD_BYTES, offset + length);
    switch (kind) {
      case QUESTION -> asked(source, number, body);
      case ANSWER -> answered(number, body);
      case NOBODY -> lost(number, source + " answers no questions");
      default -> LOG.error("{} sent a frame of kind {}", source, kind);
    }
  }

  private void asked(NodeId source, long number, byte[] question) {
    Server answers = server;
    if (answers == null) {
      sender.send(source, frame(NOBODY, number, new byte[0]));
    } else {
      answers.asked(question, answer -> sender.send(source, frame(ANSWER, number, answer)));
    }
  }

  private void answered(long number, byte[] answer) {
    Waiting asked = waiting.get(number);
    if (asked != null) {
      asked.answer().complete(answer);
    }
  }

  private void lost(long number, String why) {
    Waiting asked = waiting.get(number);
    if (asked != null) {
      asked.answer().completeExceptionally(new LostCallException(why));
    }
  }

  /** Takes in the present members. A node that is not among them has left, and will not answer. */
  public void present(Set<NodeId> members) {
    waiting.forEach((number, asked) -> {
      if (!members.contains(asked.to())) {
        lost(number, asked.to() + " has left");
      }
    });
  }

  /** Ends all waiting questions, and each that comes later: nobody will answer any more. */
  public void close() {
    closed = true;
    server = null;
    waiting.keySet().forEach(number -> lost(number, LEFT));
  }
}
