package io.canopygrid.gmu.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.canopygrid.gmu.Interleavings;
import io.canopygrid.gmu.NodeId;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All interleavings of a few calls of {@link CallTable}, tried by Lincheck. */
@Tag("model")
final class CallTableModelTest {
  private static final NodeId MEMBER = new NodeId(1);
  private static final byte ANSWER = 2;
  private static final byte NOBODY = 3;

  /** Bytes of a frame before its body: the mark, the kind and the number. */
  private static final int HEAD_BYTES = 10;

  @Test
  void anAnswerAndALossGiveOneOfTheTwo() {
    Interleavings.check(Answering.class);
  }

  @Test
  void eachQuestionEndsOnceThoughTheMemberLeaves() {
    Interleavings.check(Leaving.class);
  }

  @Test
  void eachQuestionEndsOnceThoughThisNodeLeaves() {
    Interleavings.check(Closing.class);
  }

  /** The frame that answers the question of another frame. */
  private static byte[] reply(byte[] question, byte kind, int... body) {
    ByteBuffer reply = ByteBuffer.allocate(HEAD_BYTES + body.length);
    reply.put(question, 0, HEAD_BYTES).put(1, kind);
    for (int each : body) {
      reply.put((byte) each);
    }
    return reply.array();
  }

  /**
   * One question that waits. Is meant to find a table that lets a later answer or loss replace the
   * first one.
   */
  @Param(name = "body", gen = IntGen.class, conf = "1:2")
  public static final class Answering {
    private final Queue<byte[]> wire = new ConcurrentLinkedQueue<>();
    private final CallTable table = new CallTable((to, frame) -> wire.add(frame));
    private final CompletableFuture<byte[]> answer = table.ask(MEMBER, new byte[0]);
    private final byte[] question = wire.remove();

    /** The member answers. */
    @Operation
    public void answered(@Param(name = "body") int body) {
      received(reply(question, ANSWER, body));
    }

    /** The member answers no questions. */
    @Operation
    public void refused() {
      received(reply(question, NOBODY));
    }

    private void received(byte[] frame) {
      table.received(MEMBER, frame, 0, frame.length);
    }

    /** The member leaves. */
    @Operation
    public void left() {
      table.present(Set.of());
    }

    /** This node leaves. */
    @Operation
    public void close() {
      table.close();
    }

    /** The answer; 0 while there is none, -1 for a loss. */
    @Operation
    public int outcome() {
      if (!answer.isDone()) {
        return 0;
      }
      return answer.isCompletedExceptionally() ? -1 : answer.join()[0];
    }
  }

  /** Questions to a member that answers. */
  public abstract static class Asking {
    private final Queue<byte[]> wire = new ConcurrentLinkedQueue<>();
    final CallTable table = new CallTable((to, frame) -> sent(frame));
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    volatile boolean present = true;
    volatile boolean closed;

    /** A transport whose members change before the table is told so. */
    private boolean sent(byte[] frame) {
      return present && wire.add(frame);
    }

    /** Asks a question. */
    @Operation
    public void ask() {
      asked.incrementAndGet();
      var unused =
          table.ask(MEMBER, new byte[0]).whenComplete((bytes, e) -> ended.incrementAndGet());
    }

    /** The member answers one question. */
    @Operation
    public void answer() {
      byte[] question = wire.poll();
      if (question != null) {
        table.received(MEMBER, reply(question, ANSWER), 0, HEAD_BYTES);
      }
    }

    /** No question waits that nobody is going to answer. */
    @Validate
    public void allEnd() {
      while (!closed && present && !wire.isEmpty()) {
        answer();
      }
      assertEquals(asked.get(), ended.get());
    }
  }

  /**
   * The member leaves. Is meant to find a table that sends a question before it waits for the
   * answer.
   */
  public static final class Leaving extends Asking {
    /** The member leaves. */
    @Operation
    public void left() {
      present = false;
      table.present(Set.of());
    }
  }

  /**
   * This node leaves. Is meant to find a table that asks whether it is closed before it waits, or
   * that takes no note of its end.
   */
  public static final class Closing extends Asking {
    /** This node leaves. */
    @Operation
    public void close() {
      table.close();
      closed = true;
    }
  }
}
