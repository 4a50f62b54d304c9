package io.canopygrid.server.endpoint.netty;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.transaction.ClientLink;
import io.canopygrid.server.endpoint.transaction.FunctionRequests;
import io.canopygrid.server.endpoint.transaction.OpenTransactions;
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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection. Messages are handled on the channel's event loop, which never blocks;
 * requests are carried out by workers, which send their answers through {@link ClientLink}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class ClientConnection extends SimpleChannelInboundHandler<RequestFrameDecoder.Received>
    implements ClientLink, ServerHandshake.Link {
  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
  private static final long TICK_MILLIS = 1_000;

  private final Service service;
  private final Channel channel;
  private final RequestFrameDecoder decoder;
  private final FlowControl flow;
  private final ServerHandshake handshake;
  private final OpenTransactions transactions;
  private final FunctionRequests functions;
  private final SeenClock seen = new SeenClock();
  private final Set<ErrorCode> warned = EnumSet.noneOf(ErrorCode.class);
  private final long beganNanos;
  private long heardNanos;
  private long writableNanos;
  private boolean saidGoodbye;
  private volatile boolean closed;
  private @Nullable ScheduledFuture<?> ticks;

  ClientConnection(Service service, Channel channel, RequestFrameDecoder decoder) {
    super(RequestFrameDecoder.Received.class);
    this.service = service;
    this.channel = channel;
    this.decoder = decoder;
    this.flow = new FlowControl(channel, service.workers(), service.limits());
    this.handshake = new ServerHandshake(service, this);
    this.transactions = new OpenTransactions(service.transactions(), this);
    this.functions = new FunctionRequests(service.transactions(), this);
    this.beganNanos = nowNanos();
    this.heardNanos = beganNanos;
    this.writableNanos = beganNanos;
  }

  /** The time by the clock of the event loop. */
  private long nowNanos() {
    return channel.eventLoop().ticker().nanoTime();
  }

  @Override
  public Access access() {
    return handshake.access();
  }

  @Override
  public String client() {
    String user = handshake.user();
    return (user.isEmpty() ? "" : user + "@") + address();
  }

  private String address() {
    String text = String.valueOf(channel.remoteAddress());
    return text.startsWith("/") ? text.substring(1) : text;
  }

  @Override
  public SeenClock seen() {
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
  protected void channelRead0(
      ChannelHandlerContext context, RequestFrameDecoder.Received received) {
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
    } else if (!handshake.isDone()) {
      handshake.on(message);
      handshakeStepped();
    } else if (message instanceof Request request) {
      on(stream, request, received.bytes());
    } else if (!(message instanceof ClientMessage.Pong)) {
      goodbye(ErrorCode.PROTOCOL_ERROR, "a client does not say this");
    }
  }

  private void on(int stream, Request request, int bytes) {
    service.metrics().requested(request);
    if (request instanceof Request.InTransaction step) {
      transactions.on(stream, step, bytes);
    } else if (request instanceof Request.Execute call) {
      functions.on(stream, call, bytes);
    } else if (request instanceof Request.CloseCursor) {
      transactions.closeCursor(stream);
    } else if (request instanceof Request.End end) {
      transactions.end(end.transaction());
    } else if (request instanceof Request.Hello || request instanceof Request.Authenticate) {
      goodbye(ErrorCode.PROTOCOL_ERROR, "the handshake is over");
    } else if (request instanceof Request.ReadChanges read) {
      schedule(counted(bytes, () -> changes(stream, read)));
    } else if (request instanceof Request.CloseFeed close) {
      schedule(counted(bytes, () -> service.feeds().close(close, handshake.user())));
    } else {
      Runnable task = counted(bytes, () -> catalog(stream, request));
      schedule(task);
    }
  }

  private void changes(int stream, Request.ReadChanges read) {
    try {
      Reply reply = service.feeds().answer(read, access(), handshake.user());
      onLoop(() -> write(stream, reply));
    } catch (CanopyException e) {
      refuse(stream, e, () -> {}); // a feed's clock is not said of the connection
    } catch (RuntimeException e) {
      fail(stream, ClientLink.unexpected(e, CommitState.NOT_COMMITTED));
    }
  }

  private void catalog(int stream, Request request) {
    try {
      Reply reply = service.catalog().answer(request, access(), client());
      onLoop(() -> write(stream, said(reply)));
    } catch (CanopyException e) {
      fail(stream, e);
    } catch (RuntimeException e) {
      fail(stream, ClientLink.unexpected(e, CommitState.UNKNOWN));
    }
  }

  private Reply said(Reply reply) {
    return reply instanceof Reply.Outcome outcome
        ? new Reply.Outcome(outcome.state(), seen.toSay(outcome.seen()), outcome.result())
        : reply;
  }

  /** Takes frames of all lengths once the client has authenticated. */
  @Override
  public void handshakeStepped() {
    if (handshake.isDone()) {
      decoder.allowAll();
    }
  }

  @Override
  public void authenticate(Runnable step) {
    schedule(counted(0, step));
  }

  @Override
  public Runnable counted(int bytes, Runnable task) {
    return flow.counted(bytes, task);
  }

  @Override
  public void schedule(Runnable task) {
    flow.schedule(task);
  }

  @Override
  public void onLoop(Runnable task) {
    flow.onLoop(task);
  }

  @Override
  public boolean takesAnswers() {
    return channel.isWritable();
  }

  @Override
  public boolean park(Runnable task) {
    return flow.park(task);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    writableNanos = nowNanos();
    flow.writabilityChanged();
  }

  @Override
  public void answer(int stream, VectorClock clock, Function<VectorClock, Reply> reply) {
    onLoop(() -> write(stream, reply.apply(seen.toSay(clock))));
  }

  @Override
  public void fail(int stream, CanopyException e) {
    refuse(stream, e, () -> endIfClockIsWrong(e));
  }

  private void endIfClockIsWrong(CanopyException e) {
    if (e.code() == ErrorCode.INVALID_TOKEN) {
      // A clock that was said counts for all that begins on the connection later, and both sides
      // leave it out from then on: it cannot be taken back but with the connection.
      goodbye(ErrorCode.INVALID_TOKEN, "its clock is not one of this grid");
    } else if (ClientLink.namesLostCommits(e)) {
      goodbye(ErrorCode.COMMITS_LOST, "its clock names commits that a power cut has taken");
    }
  }

  /** Sends an error, and does something right behind that on the event loop. */
  private void refuse(int stream, CanopyException e, Runnable then) {
    service.metrics().failed(e.code());
    if (e.code() == ErrorCode.INTERNAL_ERROR) {
      LOG.error("a request of {} failed", client(), e);
    } else {
      LOG.debug("a request of {} failed: {}", channel.remoteAddress(), e.getMessage());
    }
    onLoop(() -> {
      warn(e);
      write(stream, Reply.Failure.of(e));
      then.run();
    });
  }

  /** Logs a request that is forbidden, or above a limit: once for each code and connection. */
  private void warn(CanopyException e) {
    boolean refusal = e.code() == ErrorCode.FORBIDDEN || e.code() == ErrorCode.OVERLOADED;
    if (refusal && warned.add(e.code())) {
      LOG.warn(
          "{} refuses a request of {}: {}",
          e.code(),
          channel.remoteAddress(),
          ConnectionErrors.printable(e.detail()));
    }
  }

  /** Whether a transaction is open or a request is under way; on the event loop. */
  boolean isBusy() {
    return transactions.size() + flow.pending() > 0;
  }

  @Override
  public void write(int stream, ClientMessage message) {
    if (!closed && !saidGoodbye) {
      channel.writeAndFlush(
          Unpooled.wrappedBuffer(WireCodec.encode(stream, message)), channel.voidPromise());
    }
  }

  @Override
  public void goodbye(ErrorCode code, String why) {
    if (saidGoodbye) {
      return;
    }
    String text = ConnectionErrors.printable(why); // a part may be the client's
    if (code == ErrorCode.CANOPY_CLOSED
        || code == ErrorCode.GRID_CHANGED
        || code == ErrorCode.COMMITS_LOST) {
      LOG.debug("goodbye to {}: {}", channel.remoteAddress(), text);
    } else {
      LOG.atWarn()
          .addKeyValue("code", code.id())
          .addKeyValue("client", client())
          .log("{} closes the connection of {}: {}", code, client(), text);
    }
    service.metrics().closed(code);
    saidGoodbye = true;
    flow.release();
    LingeringClose.begin(channel, code, text);
  }

  private void tick() {
    if (saidGoodbye) {
      return;
    }
    transactions.endOverdue(System.nanoTime());
    long now = nowNanos();
    if (!handshake.isDone() && isOver(beganNanos, service.limits().helloMillis(), now)) {
      goodbye(ErrorCode.UNAUTHENTICATED, "it has not said in time who it is");
    } else if (decoder.isSlow(TimeUnit.MILLISECONDS.toNanos(service.limits().slowMillis()), now)
        && channel.config().isAutoRead()) {
      goodbye(ErrorCode.PROTOCOL_ERROR, "a frame takes too long to arrive");
    } else if (!channel.isWritable() && isOver(writableNanos, service.limits().slowMillis(), now)) {
      LOG.warn(
          "{} closes the connection of {}: it does not take its answers",
          ErrorCode.OVERLOADED,
          channel.remoteAddress());
      service.metrics().closed(ErrorCode.OVERLOADED);
      channel.close();
    } else if (flow.pending() == 0 && isOver(heardNanos, service.limits().idleMillis(), now)) {
      goodbye(
          ErrorCode.NOT_CONNECTED,
          "it has said nothing for " + service.limits().idleMillis() + " ms");
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
    flow.close();
    transactions.endAll();
    LOG.debug("{} has gone", channel.remoteAddress());
    super.channelInactive(context);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root = ConnectionErrors.rootOf(cause);
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
