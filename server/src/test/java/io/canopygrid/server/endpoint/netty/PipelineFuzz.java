package io.canopygrid.server.endpoint.netty;

import ch.qos.logback.classic.Level;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.LogLines;
import io.canopygrid.server.endpoint.netty.SteppedNode.Way;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.WireCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Feeds the handlers of connections with mutated conversations, cut at random, on a simulated
 * clock. Every input must be answered, or its connection closed with a reason. No exception may
 * escape, nothing may be left open, no buffer may leak, and memory must be in proportion to the
 * input.
 */
final class PipelineFuzz implements AutoCloseable {
  /** After so many inputs the node is replaced, since it keeps what inputs have stored. */
  private static final int INPUTS_OF_NODE = 100_000;

  /** After so many inputs the node must read and write in all shards. */
  private static final int INPUTS_OF_PROBE = 1_000;

  private static final int CHANGES_MAX = 4;

  /** The bytes of buffers that are allowed beside a multiple of the input, mostly for TLS. */
  private static final long HELD_MIN = 256 * 1024;

  private static final int HELD_PER_BYTE_MAX = 8;
  private static final int ANSWERED_MAX = 4 << 20;
  private static final int STEPS_MAX = 10_000;

  private final long seed;
  private final SplittableRandom random;
  private final Supplier<SslContext> tls;
  private final LogLines log = new LogLines();
  private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
  private final Map<String, Long> ends = new TreeMap<>();
  private SteppedNode node;
  private Conversations conversations;
  private long heldMax;

  /** A run from a seed, in this thread. */
  PipelineFuzz(long seed, Supplier<SslContext> tls) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.tls = tls;
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + records));
    this.node = new SteppedNode(tls);
    this.conversations = conversationsOf(node);
  }

  /** The number of inputs that ended in each way. */
  Map<String, Long> ends() {
    return ends;
  }

  /** The bytes that the buffers of one connection held at most. */
  long heldMax() {
    return heldMax;
  }

  void run(long inputs) {
    Mutator mutator = new Mutator(random);
    for (long i = 0; i < inputs; i++) {
      if (i % INPUTS_OF_NODE == INPUTS_OF_NODE - 1) {
        System.out.println((i + 1) + " inputs");
        node.close();
        node = new SteppedNode(tls);
        conversations = conversationsOf(node);
      }
      // Half of them are whole: what is in a clock is looked at only where its frame is right.
      int changes = random.nextBoolean() ? CHANGES_MAX : 0;
      byte[] input = mutator.changed(conversations.next(), conversations.parts(), changes);
      Way way = way();
      try {
        ends.merge(way + " " + check(input, way, mutator), 1L, Long::sum);
        if (i % INPUTS_OF_PROBE == 0) {
          node.probe();
        }
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed=%d input %d, %s: %s".formatted(seed, i, way, HexFormat.of().formatHex(input)), e);
      }
    }
  }

  private Conversations conversationsOf(SteppedNode of) {
    return new Conversations(random, of.index(), of.grid(), of.seen());
  }

  private Way way() {
    int number = random.nextInt(20);
    return number < 15 ? Way.OPEN : number < 19 ? Way.GUARDED : Way.TLS;
  }

  /** Plays one input; returns how it ended. */
  private String check(byte[] input, Way way, Mutator mutator) {
    boolean counted = random.nextBoolean();
    UnpooledByteBufAllocator counting = new UnpooledByteBufAllocator(false);
    ByteBufAllocator buffers = counted ? counting : PooledByteBufAllocator.DEFAULT;
    EmbeddedChannel channel = node.connect(way, buffers);
    Heard heard = new Heard();
    for (byte[] piece : mutator.cut(input)) {
      play(channel, piece, buffers);
      long held = counting.metric().usedHeapMemory() + counting.metric().usedDirectMemory();
      heldMax = Math.max(heldMax, held);
      holds(held <= HELD_MIN + (long) HELD_PER_BYTE_MAX * input.length, "buffers hold " + held);
      heard.takeFrom(channel);
    }
    boolean closedByClient = !channel.isOpen();
    if (random.nextInt(4) > 0) {
      var unused = channel.close();
      closedByClient = true;
    }
    String end = end(channel, heard, closedByClient);
    holds(counting.metric().usedHeapMemory() == 0, "a buffer is lost");
    holds(counting.metric().usedDirectMemory() == 0, "a direct buffer is lost");
    return end;
  }

  private void play(EmbeddedChannel channel, byte[] piece, ByteBufAllocator buffers) {
    for (int steps = 0; !channel.config().isAutoRead() && channel.isOpen(); steps++) {
      holds(steps < STEPS_MAX, "it does not read on");
      if (!step(channel)) {
        return; // it has what it wanted, and hears nothing more
      }
    }
    if (channel.isOpen()) {
      channel.writeInbound(buffers.heapBuffer(Math.max(1, piece.length)).writeBytes(piece));
    }
    if (random.nextBoolean()) {
      channel.advanceTimeBy(random.nextInt(1_500), TimeUnit.MILLISECONDS);
    }
    for (int steps = random.nextInt(10); steps > 0 && step(channel); steps--) {
      channel.runPendingTasks();
    }
  }

  private boolean step(EmbeddedChannel channel) {
    boolean stepped = node.pool().step();
    channel.runPendingTasks();
    return stepped;
  }

  /** Lets all tasks end, and the clock run until the server has closed the connection by itself. */
  private String end(EmbeddedChannel channel, Heard heard, boolean closedByClient) {
    long longest = SteppedNode.LIMITS.helloMillis() + SteppedNode.LIMITS.idleMillis();
    longest += SteppedNode.LIMITS.slowMillis() + 5 * LingeringClose.LINGER_MILLIS;
    for (long millis = 0; millis < longest; millis += 500) {
      int steps = 0;
      while (step(channel) || node.pool().waiting() > 0) {
        holds(++steps < STEPS_MAX, "it does not come to an end");
      }
      heard.takeFrom(channel);
      if (!channel.isOpen()) {
        break;
      }
      channel.advanceTimeBy(500, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
    holds(!channel.isOpen(), "the connection is still open");
    channel.runPendingTasks();
    channel.checkException();
    heard.takeFrom(channel);
    holds(!channel.releaseInbound(), "something was not handled");
    holds(node.pool().waiting() == 0, "tasks are left");
    holds(node.connections() == 0, "connections are counted: " + node.connections());
    holds(node.transactions() == 0, "transactions are open: " + node.transactions());
    holds(node.stagedBytes() == 0, "written and kept: " + node.stagedBytes());
    holds(log.of(Level.ERROR).isEmpty(), "logged: " + log.all());
    log.clear();
    holds(leaks.isEmpty(), "leaks: " + leaks);
    return heard.end(closedByClient);
  }

  private static void holds(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  /** The output of the server. */
  private static final class Heard {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void takeFrom(EmbeddedChannel channel) {
      for (Object message = channel.readOutbound();
          message != null;
          message = channel.readOutbound()) {
        ByteBuf buffer = (ByteBuf) message;
        bytes.writeBytes(ByteBufUtil.getBytes(buffer));
        ReferenceCountUtil.release(buffer);
      }
      holds(bytes.size() <= ANSWERED_MAX, "the answers have " + bytes.size() + " bytes");
    }

    /** Whether it was well-formed, and how it ended. */
    String end(boolean closedByClient) {
      ByteBuf all = Unpooled.wrappedBuffer(bytes.toByteArray());
      if (!all.isReadable()) {
        return "nothing";
      }
      byte first = all.getByte(0);
      if (first == 'H') {
        return "HTTP " + all.getCharSequence(9, 3, StandardCharsets.US_ASCII);
      }
      return first == 0 ? frames(all, closedByClient) : "TLS";
    }

    private static String frames(ByteBuf all, boolean closedByClient) {
      String last = "";
      while (all.isReadable()) {
        byte[] frame = new byte[all.readInt()];
        all.readBytes(frame);
        ClientMessage message = WireCodec.decode(frame).message();
        last = message.getClass().getSimpleName();
        if (message instanceof ClientMessage.Goodbye goodbye) {
          last = ErrorCode.find(Integer.toString(goodbye.code())).orElseThrow().toString();
          holds(!all.isReadable(), "something came after goodbye");
          return last;
        }
      }
      holds(closedByClient, "it was closed without a reason after " + last);
      return "frames";
    }
  }

  @Override
  public void close() {
    log.close();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
    ByteBufUtil.setLeakListener(null);
    node.close();
  }
}
