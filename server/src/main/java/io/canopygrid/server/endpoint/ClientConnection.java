package io.canopygrid.server.endpoint;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.MalformedBytesException;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.SeenClock;
import io.canopygrid.wire.client.WireCodec;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection. What comes in is handled on the channel's event loop, which never
 * blocks; requests are carried out by workers, and their answers come back here ({@link #answer},
 * {@link #fail}, {@link #schedule}, {@link #park}: from any thread).
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, which is heard of
final class ClientConnection extends SimpleChannelInboundHandler<FrameDecoder.Received> {
  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
  private static final long TICK_MILLIS = 1_000;
  private static final long RETRY_MILLIS = 2;

  private final Service service;
  private final Channel channel;
  private final FrameDecoder decoder;
  private final Greeting greeting;
  private final OpenLanes lanes;
  private final FunctionRequests functions;
  private final SeenClock seen = new SeenClock();
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final Queue<Runnable> parked = new ConcurrentLinkedQueue<>();
  private final Set<ErrorCode> warned = EnumSet.noneOf(ErrorCode.class);
  private final long beganNanos;
  private long heardNanos;
  private long writableNanos;
  private boolean saidGoodbye;
  private volatile boolean closed;
  private @Nullable ScheduledFuture<?> ticks;

  ClientConnection(Service service, Channel channel, FrameDecoder decoder) {
    super(FrameDecoder.Received.class);
    this.service = service;
    this.channel = channel;
    this.decoder = decoder;
    this.greeting = new Greeting(service, this);
    this.lanes = new OpenLanes(service, this);
    this.functions = new FunctionRequests(service, this);
    this.beganNanos = nowNanos();
    this.heardNanos = beganNanos;
    this.writableNanos = beganNanos;
  }

  /** By the clock of the event loop. */
  private long nowNanos() {
    return channel.eventLoop().ticker().nanoTime();
  }

  ServedNode node() {
    return service.node();
  }

  EndpointMetrics metrics() {
    return service.metrics();
  }

  EndpointLimits limits() {
    return service.limits();
  }

  /** What this client may do; for any thread. */
  Access access() {
    return greeting.access();
  }

  TransactionLog log() {
    return service.log();
  }

  /** The user and address, for the log; for any thread. */
  String client() {
    String user = greeting.user();
    return (user.isEmpty() ? "" : user + "@") + address();
  }

  private String address() {
    String text = String.valueOf(channel.remoteAddress());
    return text.startsWith("/") ? text.substring(1) : text;
  }

  SeenClock seen() {
    return seen;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    service.metrics().connections().incrementAndGet();
    ticks =
        channel
            .eventLoop()
            .scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    LOG.debug("{} has connected", channel.remoteAddress());
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FrameDecoder.Received received) {
    if (saidGoodbye) {
      return;
    }
    heardNanos = nowNanos();
    ClientMessage message = received.framed().message();
    int stream = received.framed().stream();
    if (message instanceof ClientMessage.Ping ping) {
      write(0, new ClientMessage.Pong(ping.number()));
    } else if (message instanceof ClientMessage.Goodbye) {
      context.close();
    } else if (!greeting.isDone()) {
      greeting.on(message);
      greeted();
    } else if (message instanceof Request request) {
      on(stream, request, received.bytes());
    } else if (!(message instanceof ClientMessage.Pong)) {
      goodbye(ErrorCode.PROTOCOL_ERROR, "a client does not say this");
    }
  }

  private void on(int stream, Request request, int bytes) {
    service.metrics().requested(request);
    if (request instanceof Request.InTransaction step) {
      lanes.on(stream, step, bytes);
    } else if (request instanceof Request.Execute call) {
      functions.on(stream, call, bytes);
    } else if (request instanceof Request.CloseCursor) {
      lanes.closeCursor(stream);
    } else if (request instanceof Request.End end) {
      lanes.end(end.transaction());
    } else if (request instanceof Request.Hello || request instanceof Request.Authenticate) {
      goodbye(ErrorCode.PROTOCOL_ERROR, "the greeting is over");
    } else {
      Runnable task = counted(bytes, () -> catalog(stream, request));
      schedule(task);
    }
  }

  private void catalog(int stream, Request request) {
    try {
      Reply reply = service.catalog().answer(request, access());
      onLoop(() -> write(stream, said(reply)));
    } catch (CanopyException e) {
      fail(stream, e);
    } catch (RuntimeException e) {
      fail(stream, unexpected(e, CommitState.UNKNOWN));
    }
  }

  private Reply said(Reply reply) {
    return reply instanceof Reply.Outcome outcome
        ? new Reply.Outcome(outcome.state(), seen.toSay(outcome.seen()), outcome.result())
        : reply;
  }

  /** Frames of all lengths are taken once it is known who the client is. */
  void greeted() {
    if (greeting.isDone()) {
      decoder.allowAll();
    }
  }

  /** The authentication step runs on a worker, and its answer comes back on the event loop. */
  void authenticate(Runnable step) {
    schedule(counted(0, step));
  }

  /** The task, which counts as waiting from now until it is done. */
  Runnable counted(int bytes, Runnable task) {
    pending.incrementAndGet();
    pendingBytes.addAndGet(bytes);
    readOrNot();
    return () -> {
      try {
        task.run();
      } finally {
        pendingBytes.addAndGet(-bytes);
        if (pending.decrementAndGet() == limits().requestsMax() / 2
            || !channel.config().isAutoRead()) {
          onLoop(this::readOrNot);
        }
      }
    };
  }

  /** Reads on only while there is room and the client takes its answers. */
  private void readOrNot() {
    if (saidGoodbye) {
      return;
    }
    boolean read =
        channel.isWritable()
            && pending.get() < limits().requestsMax()
            && pendingBytes.get() < limits().requestBytesMax();
    if (channel.config().isAutoRead() != read) {
      channel.config().setAutoRead(read);
    }
  }

  /** Runs a task on a worker as soon as there is one. */
  void schedule(Runnable task) {
    if (!service.workers().submit(task) && !channel.eventLoop().isShuttingDown()) {
      channel.eventLoop().schedule(() -> schedule(task), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** True: the client does not take its answers now, the task is run again when it does. */
  boolean park(Runnable task) {
    if (closed || channel.isWritable()) {
      return false;
    }
    parked.add(task);
    return !((closed || channel.isWritable()) && parked.remove(task));
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    writableNanos = nowNanos();
    if (channel.isWritable()) {
      unpark();
    }
    readOrNot();
  }

  private void unpark() {
    for (Runnable task = parked.poll(); task != null; task = parked.poll()) {
      schedule(task);
    }
  }

  /** Sends an answer with what of a clock is news. */
  void answer(int stream, VectorClock clock, Function<VectorClock, Reply> reply) {
    onLoop(() -> write(stream, reply.apply(seen.toSay(clock))));
  }

  /** Sends an error. */
  void fail(int stream, CanopyException e) {
    service.metrics().failed(e.code());
    if (e.code() == ErrorCode.INTERNAL_ERROR) {
      LOG.error("a request of {} failed", client(), e);
    } else {
      LOG.debug("a request of {} failed: {}", channel.remoteAddress(), e.getMessage());
    }
    onLoop(() -> {
      warn(e);
      write(stream, Reply.Failure.of(e));
    });
  }

  /** What a client must not do, or does too much of, is in the log once for each connection. */
  private void warn(CanopyException e) {
    boolean refusal = e.code() == ErrorCode.FORBIDDEN || e.code() == ErrorCode.OVERLOADED;
    if (refusal && warned.add(e.code())) {
      LOG.warn(
          "{} refuses a request of {}: {}",
          e.code(),
          channel.remoteAddress(),
          Farewell.printable(e.detail()));
    }
  }

  /** An error of ours. */
  static CanopyException unexpected(RuntimeException e, CommitState state) {
    return new CanopyException(ErrorCode.INTERNAL_ERROR, e.toString(), state, null, e);
  }

  /** A cursor is gone; from its lane. */
  void cursorEnded(int stream) {
    onLoop(() -> lanes.cursorEnded(stream));
  }

  /** A transaction is gone; from its lane. */
  void transactionEnded(TransactionLane lane) {
    onLoop(() -> lanes.ended(lane));
  }

  /** Whether anything is open or under way; on the event loop. */
  boolean isBusy() {
    return lanes.size() + pending.get() > 0;
  }

  void onLoop(Runnable task) {
    if (channel.eventLoop().inEventLoop()) {
      task.run();
    } else if (!channel.eventLoop().isShuttingDown()) {
      channel.eventLoop().execute(task);
    }
  }

  /** Sends a message; on the event loop. */
  void write(int stream, ClientMessage message) {
    if (!closed && !saidGoodbye) {
      channel.writeAndFlush(
          Unpooled.wrappedBuffer(WireCodec.encode(stream, message)), channel.voidPromise());
    }
  }

  /** Closes the connection with a reason, which the log has too; on the event loop. */
  void goodbye(ErrorCode code, String why) {
    if (saidGoodbye) {
      return;
    }
    String text = Farewell.printable(why); // a part may be the client's
    if (code == ErrorCode.CANOPY_CLOSED) {
      LOG.debug("goodbye to {}: {}", channel.remoteAddress(), text);
    } else {
      LOG.atWarn()
          .addKeyValue("code", code.id())
          .addKeyValue("client", client())
          .log("{} closes the connection of {}: {}", code, client(), text);
    }
    service.metrics().closed(code);
    saidGoodbye = true;
    Farewell.say(channel, code, text);
  }

  private void tick() {
    if (saidGoodbye) {
      return;
    }
    lanes.endOverdue(System.nanoTime());
    long now = nowNanos();
    if (!greeting.isDone() && isOver(beganNanos, limits().helloMillis(), now)) {
      goodbye(ErrorCode.UNAUTHENTICATED, "it has not said in time who it is");
    } else if (decoder.isSlow(TimeUnit.MILLISECONDS.toNanos(limits().slowMillis()), now)
        && channel.config().isAutoRead()) {
      goodbye(ErrorCode.PROTOCOL_ERROR, "a frame takes too long to arrive");
    } else if (!channel.isWritable() && isOver(writableNanos, limits().slowMillis(), now)) {
      LOG.warn(
          "{} closes the connection of {}: it does not take its answers",
          ErrorCode.OVERLOADED,
          channel.remoteAddress());
      service.metrics().closed(ErrorCode.OVERLOADED);
      channel.close();
    } else if (pending.get() == 0 && isOver(heardNanos, limits().idleMillis(), now)) {
      goodbye(ErrorCode.NOT_CONNECTED, "it has said nothing for " + limits().idleMillis() + " ms");
    }
  }

  private static boolean isOver(long sinceNanos, long millis, long nowNanos) {
    return nowNanos - sinceNanos > TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    closed = true;
    if (ticks != null) {
      ticks.cancel(false);
    }
    service.metrics().connections().decrementAndGet();
    unpark();
    lanes.endAll();
    LOG.debug("{} has gone", channel.remoteAddress());
    super.channelInactive(context);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root = FirstBytes.rootOf(cause);
    if (root instanceof MalformedBytesException) {
      goodbye(ErrorCode.PROTOCOL_ERROR, String.valueOf(root.getMessage()));
    } else if (root instanceof SSLException) {
      goodbye(ErrorCode.PROTOCOL_ERROR, "TLS: " + root.getMessage());
    } else if (root instanceof IOException) {
      LOG.debug("the connection of {} broke", channel.remoteAddress(), root);
      context.close();
    } else {
      LOG.error("the connection of {} failed", channel.remoteAddress(), cause);
      goodbye(ErrorCode.INTERNAL_ERROR, "the server failed");
    }
  }
}
