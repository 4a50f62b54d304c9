package io.canopygrid.server.endpoint.netty;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.http.Api;
import io.canopygrid.server.endpoint.http.ApiRequest;
import io.canopygrid.server.endpoint.http.ApiResponse;
import io.canopygrid.server.endpoint.http.ProblemAnswer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection whose requests are for the API, one after the other; others are left to the next
 * handlers. The sender must be known before more of a body is read than has come with its head, and
 * what bodies take of the server's memory counts as what transactions have written. Requests are
 * answered by workers; all else is on the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class ApiConnection extends ChannelInboundHandlerAdapter {
  /** The longest body: bytes in hexadecimal are twice as long as a value may be. */
  static final int BODY_BYTES_MAX = 17 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(ApiConnection.class);

  private final Service service;
  private ByteArrayOutputStream body = new ByteArrayOutputStream();
  private State state = State.IDLE;
  private boolean isTaken;
  private boolean isWhole;
  private boolean isOpen;
  private boolean isLast;
  private long heldBytes;
  private String client = "";
  private String loggedIn = "";
  private @Nullable HttpRequest head;
  private @Nullable Access access;
  private @Nullable ScheduledFuture<?> deadline;
  private @Nullable TurnLoop later;

  /** The course of a request. */
  private enum State {
    /** No request is under way. */
    IDLE,
    /** A request is coming, or its sender is not known yet. */
    COMING,
    /** A request is being answered. */
    ANSWERED,
    /** The connection ends. */
    ENDING
  }

  ApiConnection(Service service) {
    this.service = service;
  }

  /** Whether a request is under way; on the event loop. */
  boolean isBusy() {
    return state == State.COMING || state == State.ANSWERED;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    boolean isOwn = isTaken ? !leaves(context, message) : take(context, message);
    if (!isOwn) {
      context.fireChannelRead(message);
      return;
    }
    try {
      if (state == State.ENDING) {
        return;
      }
      if (message instanceof HttpRequest request) {
        begin(context, request);
      }
      if (message instanceof HttpContent content && state == State.COMING && !isWhole) {
        add(context, content);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  /** Takes the connection over where its first request is for the API. */
  private boolean take(ChannelHandlerContext context, Object message) {
    isTaken = message instanceof HttpRequest request && isOfApi(request);
    if (isTaken) {
      context.pipeline().remove(WholeRequests.class);
      context.pipeline().remove(HttpPages.class);
    } else {
      context.pipeline().remove(this);
    }
    return isTaken;
  }

  private static boolean isOfApi(HttpRequest request) {
    return request.decoderResult().isSuccess() && Api.isPath(HttpMessages.path(request.uri()));
  }

  /** Leaves the connection to the pages for good, where a later request is for one of them. */
  private boolean leaves(ChannelHandlerContext context, Object message) {
    boolean leaves =
        state == State.IDLE
            && message instanceof HttpRequest request
            && request.decoderResult().isSuccess()
            && !isOfApi(request);
    if (leaves) {
      cancelDeadline();
      isTaken = false;
      context
          .pipeline()
          .addLast(new WholeRequests(ProtocolDetector.HTTP_BODY_MAX), new HttpPages(service));
      context.pipeline().remove(this);
    }
    return leaves;
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    if (state != State.IDLE) {
      isLast = true; // it has not waited for the answer: what it says now is not heard
      return;
    }
    state = State.COMING;
    head = request;
    access = null;
    isWhole = false;
    client = text(context);
    isLast |= !HttpUtil.isKeepAlive(request);
    await(context, service.limits().helloMillis(), () -> slow(context));
    try {
      if (!request.decoderResult().isSuccess()) {
        throw new CanopyException(ErrorCode.PROTOCOL_ERROR, "it is not HTTP");
      }
      ApiSender.checkSite(
          request.headers(), context.channel(), isGuarded(), service.address().get());
      isOpen = Api.isOpen(HttpMessages.path(request.uri()));
      if (HttpUtil.getContentLength(request, 0L) > bodyBytesMax()) {
        tooLarge(context);
      } else {
        logIn(context, request);
      }
    } catch (CanopyException e) {
      end(context, problem(e));
    } catch (NumberFormatException e) {
      end(
          context,
          ProblemAnswer.of(400, ErrorCode.PROTOCOL_ERROR, "its content-length is no number"));
    }
  }

  private boolean isGuarded() {
    return !service.authentication().mechanisms().isEmpty();
  }

  /** Nobody needs a body to ask for what is open to all. */
  private int bodyBytesMax() {
    return isOpen ? 0 : BODY_BYTES_MAX;
  }

  private static String text(ChannelHandlerContext context) {
    String text = String.valueOf(context.channel().remoteAddress());
    return text.startsWith("/") ? text.substring(1) : text;
  }

  private void logIn(ChannelHandlerContext context, HttpRequest request) {
    if (isOpen || !isGuarded()) {
      loggedIn(context, Access.ALL);
      return;
    }
    ApiSender.Login login = ApiSender.login(request.headers(), context.channel());
    if (login == null) {
      throw new CanopyException(ErrorCode.UNAUTHENTICATED, "the request has no user");
    }
    String address = client;
    client = login.user() + "@" + address;
    context.channel().config().setAutoRead(false);
    Consumer<Access> known =
        rights -> {
          context.channel().config().setAutoRead(true);
          loggedIn(context, rights);
        };
    onWorker(
        context,
        () -> {
          try {
            Access rights = service.authentication().login(login.user(), login.password());
            return () -> {
              takeDown(login.user());
              known.accept(rights);
            };
          } catch (CanopyException e) {
            return () -> refused(context, address, login.user(), e);
          }
        });
  }

  /** Writes down who has logged in: once for a connection, though each request says it. */
  private void takeDown(String user) {
    if (!loggedIn.equals(user)) {
      loggedIn = user;
      service.audit().loggedIn(client, "HTTP");
    }
  }

  private void refused(
      ChannelHandlerContext context, String address, String user, CanopyException e) {
    service.audit().refused(address, user, "HTTP", e);
    LOG.warn(
        "{} refuses a request of {}: {}",
        e.code(),
        context.channel().remoteAddress(),
        ConnectionErrors.printable(e.detail()));
    service.metrics().closed(e.code());
    end(context, problem(e));
  }

  /** The answer to an error, which says how to log in where that is what is wrong. */
  private static ApiResponse problem(CanopyException e) {
    return e.code() == ErrorCode.UNAUTHENTICATED
        ? ProblemAnswer.of(
            401, e, Map.of("www-authenticate", "Basic realm=\"canopy\", charset=\"UTF-8\""))
        : ProblemAnswer.of(e);
  }

  private void loggedIn(ChannelHandlerContext context, Access rights) {
    HttpRequest request = head;
    if (state != State.COMING || request == null) {
      return;
    }
    access = rights;
    if (isWhole) {
      answer(context, request, rights);
    } else {
      await(context, service.limits().slowMillis(), () -> slow(context));
      if (HttpUtil.is100ContinueExpected(request)) {
        context.writeAndFlush(
            new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
      }
    }
  }

  private void add(ChannelHandlerContext context, HttpContent content) throws IOException {
    ByteBuf bytes = content.content();
    if (!content.decoderResult().isSuccess()) {
      end(context, ProblemAnswer.of(400, ErrorCode.PROTOCOL_ERROR, "its body is not HTTP"));
      return;
    }
    if (body.size() + bytes.readableBytes() > bodyBytesMax()) {
      tooLarge(context);
      return;
    }
    if (!service.transactions().staged().take(bytes.readableBytes())) {
      end(
          context,
          ProblemAnswer.of(503, ErrorCode.OVERLOADED, "the server has too much in memory"));
      return;
    }
    heldBytes += bytes.readableBytes();
    bytes.readBytes(body, bytes.readableBytes());
    isWhole = content instanceof LastHttpContent;
    HttpRequest request = head;
    Access rights = access;
    if (isWhole && rights != null && request != null) {
      answer(context, request, rights);
    }
  }

  private void tooLarge(ChannelHandlerContext context) {
    end(
        context,
        ProblemAnswer.of(
            413,
            ErrorCode.INVALID_ARGUMENT,
            "the body has more than " + bodyBytesMax() + " bytes"));
  }

  private void answer(ChannelHandlerContext context, HttpRequest request, Access rights) {
    state = State.ANSWERED;
    cancelDeadline();
    context.channel().config().setAutoRead(false);
    ApiRequest asked =
        new ApiRequest(
            request.method().name(),
            HttpMessages.target(request.uri()),
            request.headers().get(HttpHeaderNames.CONTENT_TYPE, ""),
            request.headers().get(HttpHeaderNames.IF_NONE_MATCH, ""),
            request.headers().get(HttpHeaderNames.ACCEPT, ""),
            request.headers().get("last-event-id", ""),
            traceParent(request),
            body.toByteArray(),
            rights,
            client);
    onWorker(
        context,
        () -> {
          ApiResponse answer = service.api().answer(asked);
          return () -> answered(context, asked, answer);
        });
  }

  /** The header of the W3C's Trace Context; several are as none. */
  private static String traceParent(HttpRequest request) {
    List<String> all = request.headers().getAll("traceparent");
    return all.size() == 1 ? all.get(0) : "";
  }

  /** The work of a worker, which leaves the rest of it to the event loop. */
  private interface Work {
    Runnable run();
  }

  private void onWorker(ChannelHandlerContext context, Work work) {
    boolean isAccepted =
        service
            .workers()
            .submit(() -> {
              Runnable then;
              try {
                then = work.run();
              } catch (RuntimeException e) {
                LOG.error("a request of {} failed", client, e);
                CanopyException why =
                    new CanopyException(
                        ErrorCode.INTERNAL_ERROR, e.toString(), CommitState.UNKNOWN, null, e);
                then = () -> end(context, ProblemAnswer.of(why));
              }
              context.channel().eventLoop().execute(then);
            });
    if (!isAccepted) {
      end(context, ProblemAnswer.of(503, ErrorCode.OVERLOADED, "the server has too much to do"));
    }
  }

  private void answered(ChannelHandlerContext context, ApiRequest asked, ApiResponse answer) {
    boolean isStream = answer.isStream() && asked.method().equals("GET");
    boolean isHeard = state == State.ANSWERED && context.channel().isActive();
    ApiResponse.Turns turns = answer.turns();
    if (turns != null && !isHeard) {
      free();
      turns.close();
    } else if (isStream && isHeard) {
      free();
      cancelDeadline();
      EventStream.begin(context, service, asked, answer);
    } else if (turns != null) {
      free();
      answerLater(context, turns);
    } else {
      send(context, answer);
    }
  }

  private void answerLater(ChannelHandlerContext context, ApiResponse.Turns turns) {
    TurnLoop loop = new TurnLoop(context.channel().eventLoop(), service, turns);
    if (!loop.open()) {
      send(context, TurnLoop.tooMany());
      return;
    }
    later = loop;
    Consumer<ApiResponse> made =
        answer -> {
          loop.close();
          later = null;
          send(context, answer);
        };
    loop.later(made, why -> made.accept(ProblemAnswer.of(why)));
  }

  private void send(ChannelHandlerContext context, ApiResponse answer) {
    free();
    if (state != State.ANSWERED) {
      return;
    }
    boolean isEnd = isLast || service.isDraining();
    await(context, service.limits().slowMillis(), () -> SlowReceiver.close(context, service));
    FullHttpResponse response = HttpMessages.response(answer, isEnd);
    context
        .writeAndFlush(response)
        .addListener(
            isEnd
                ? ChannelFutureListener.CLOSE
                : sent -> {
                  if (sent.isSuccess()) {
                    next(context);
                  } else {
                    context.close();
                  }
                });
  }

  private void next(ChannelHandlerContext context) {
    if (isLast) {
      context.close();
      return;
    }
    state = State.IDLE;
    head = null;
    await(context, service.limits().idleMillis(), () -> context.close());
    context.channel().config().setAutoRead(true);
  }

  /** Says a last word, and hears no more. */
  private void end(ChannelHandlerContext context, ApiResponse answer) {
    if (state == State.ENDING) {
      return;
    }
    state = State.ENDING;
    cancelDeadline();
    free();
    LingeringClose.begin(context.channel(), HttpMessages.response(answer, true));
  }

  private void slow(ChannelHandlerContext context) {
    LOG.warn(
        "{} closes the connection of {}: the request is slow",
        ErrorCode.PROTOCOL_ERROR,
        context.channel().remoteAddress());
    service.metrics().closed(ErrorCode.PROTOCOL_ERROR);
    end(context, ProblemAnswer.of(408, ErrorCode.PROTOCOL_ERROR, "the request is slow"));
  }

  private void await(ChannelHandlerContext context, long millis, Runnable otherwise) {
    cancelDeadline();
    deadline = context.executor().schedule(otherwise, millis, TimeUnit.MILLISECONDS);
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  private void free() {
    service.transactions().staged().free(heldBytes);
    heldBytes = 0;
    body = new ByteArrayOutputStream();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    cancelDeadline();
    if (later != null) {
      later.close();
    }
    if (state != State.ANSWERED) {
      free();
      state = State.ENDING;
    }
    super.channelInactive(context);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
    Throwable root = ConnectionErrors.rootOf(cause);
    if (!isTaken) {
      context.fireExceptionCaught(cause);
    } else if (cause instanceof DecoderException) {
      end(context, ProblemAnswer.of(400, ErrorCode.PROTOCOL_ERROR, "it is not HTTP"));
    } else if (root instanceof IOException) {
      LOG.debug("an HTTP connection of {} broke", context.channel().remoteAddress(), root);
      context.close();
    } else {
      LOG.error("an HTTP connection of {} failed", context.channel().remoteAddress(), cause);
      service.metrics().closed(ErrorCode.INTERNAL_ERROR);
      context.close();
    }
  }
}
