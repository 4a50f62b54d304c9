package io.canopygrid.server.endpoint;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The beginning of a connection, until it is known who the client is. On the event loop. */
final class Greeting {
  private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);

  private final Service service;
  private final ClientConnection connection;
  private boolean hello;
  private Authentication.@Nullable Exchange exchange;
  private boolean busy;
  private volatile @Nullable Access access;
  private volatile String user = "";

  Greeting(Service service, ClientConnection connection) {
    this.service = service;
    this.connection = connection;
  }

  boolean isDone() {
    return access != null;
  }

  /** Who the client is, empty where nobody asks; for any thread. */
  String user() {
    return user;
  }

  /** What the client may do; for any thread. */
  Access access() {
    Access known = access;
    if (known == null) {
      throw new CanopyException(ErrorCode.UNAUTHENTICATED, "it is not known who this is");
    }
    return known;
  }

  void on(ClientMessage message) {
    if (message instanceof Request.Hello said && !hello) {
      onHello(said);
    } else if (message instanceof Request.Authenticate step && hello && !busy) {
      onAuthenticate(step);
    } else {
      connection.goodbye(
          hello ? ErrorCode.UNAUTHENTICATED : ErrorCode.PROTOCOL_ERROR,
          message.getClass().getSimpleName() + " came before the greeting was over");
    }
  }

  private void onHello(Request.Hello said) {
    if (said.versionMin() > WireLimits.VERSION || said.versionMax() < WireLimits.VERSION) {
      connection.goodbye(
          ErrorCode.PROTOCOL_ERROR,
          "this server speaks version %d of the protocol, the client %d to %d"
              .formatted(WireLimits.VERSION, said.versionMin(), said.versionMax()));
      return;
    }
    hello = true;
    EndpointLimits limits = service.limits();
    connection.write(
        0,
        new Reply.Welcome(
            WireLimits.VERSION,
            0,
            service.node().name(),
            service.cluster(),
            System.currentTimeMillis(),
            service.node().shards(),
            new Reply.Limits(
                WireLimits.FRAME_BYTES_MAX,
                limits.requestsMax(),
                limits.transactionsMax(),
                limits.cursorsMax(),
                limits.transactionBytesMax(),
                limits.idleMillis()),
            service.authentication().mechanisms()));
    if (service.authentication().mechanisms().isEmpty()) {
      access = Access.ALL;
    }
  }

  private void onAuthenticate(Request.Authenticate step) {
    if (!service.authentication().mechanisms().contains(step.mechanism())) {
      connection.goodbye(
          ErrorCode.UNAUTHENTICATED, "mechanism '" + step.mechanism() + "' is not offered");
      return;
    }
    Authentication.Exchange now = exchange;
    if (now == null) {
      now = service.authentication().begin(step.mechanism());
      exchange = now;
    }
    Authentication.Exchange asked = now;
    busy = true;
    connection.authenticate(() -> carryOut(asked, step.data()));
  }

  /** On a worker. */
  private void carryOut(Authentication.Exchange asked, byte[] data) {
    try {
      Authentication.Answer answer = asked.answer(data);
      connection.onLoop(() -> onAnswer(answer));
    } catch (CanopyException e) {
      connection.onLoop(() -> connection.goodbye(e.code(), e.detail()));
    } catch (RuntimeException e) {
      LOG.error("authentication failed", e);
      connection.onLoop(
          () -> connection.goodbye(ErrorCode.UNAUTHENTICATED, "the credentials cannot be checked"));
    }
  }

  private void onAnswer(Authentication.Answer answer) {
    busy = false;
    connection.write(0, new Reply.Challenge(answer.done(), answer.data()));
    if (answer.done()) {
      LOG.debug("user '{}' is known", answer.user());
      user = answer.user();
      access = answer.access();
      connection.greeted();
    }
  }
}
