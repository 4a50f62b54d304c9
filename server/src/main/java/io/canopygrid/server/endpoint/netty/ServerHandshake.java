package io.canopygrid.server.endpoint.netty;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridInfo;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handshake of a connection: the version of the protocol, and the client's authentication.
 * Confined to the event loop, where a method says nothing else.
 */
final class ServerHandshake {
  private static final Logger LOG = LoggerFactory.getLogger(ServerHandshake.class);

  /** The client protocol, in the audit log. */
  private static final String PROTOCOL = "canopy";

  private final Service service;
  private final Link link;
  private boolean hello;
  private Authentication.@Nullable Exchange exchange;
  private boolean busy;
  private volatile @Nullable Access access;
  private volatile String user = "";

  /** The part of the connection that the handshake uses. */
  interface Link {
    /** Sends a message; on the event loop. */
    void write(int stream, ClientMessage message);

    /** Closes the connection for a reason, which the client is told; on the event loop. */
    void goodbye(ErrorCode code, String why);

    /** The address of the client, with the user where that is known; for any thread. */
    String client();

    /** Runs a step of the authentication on a worker. */
    void authenticate(Runnable step);

    /** Runs a task on the event loop; for any thread. */
    void onLoop(Runnable task);

    /** The handshake has gone a step further, and may be done. */
    void handshakeStepped();
  }

  ServerHandshake(Service service, Link link) {
    this.service = service;
    this.link = link;
  }

  boolean isDone() {
    return access != null;
  }

  /** The user, empty where clients do not authenticate; for any thread. */
  String user() {
    return user;
  }

  /** The user's rights; for any thread. */
  Access access() {
    Access known = access;
    if (known == null) {
      throw new CanopyException(ErrorCode.UNAUTHENTICATED, "it is not known who this is");
    }
    return known;
  }

  /** Takes a message of the client. */
  void on(ClientMessage message) {
    if (message instanceof Request.Hello said && !hello) {
      onHello(said);
    } else if (message instanceof Request.Authenticate step && hello && !busy) {
      onAuthenticate(step);
    } else {
      link.goodbye(
          hello ? ErrorCode.UNAUTHENTICATED : ErrorCode.PROTOCOL_ERROR,
          message.getClass().getSimpleName() + " came before the handshake was over");
    }
  }

  private void onHello(Request.Hello said) {
    if (said.versionMin() > WireLimits.VERSION || said.versionMax() < WireLimits.VERSION) {
      link.goodbye(
          ErrorCode.PROTOCOL_ERROR,
          String.format(
              Locale.ROOT,
              "this server speaks version %d of the protocol, the client %d to %d",
              WireLimits.VERSION,
              said.versionMin(),
              said.versionMax()));
      return;
    }
    GridInfo grid = service.node().grid();
    if (said.grid() != null && !said.grid().equals(grid.id())) {
      // Numbers, clocks and names that the client may send right behind its hello mean nothing
      // here.
      link.goodbye(
          ErrorCode.GRID_CHANGED,
          String.format(
              Locale.ROOT, "this server is of %s; the client knows grid %s", grid, said.grid()));
      return;
    }
    hello = true;
    EndpointLimits limits = service.limits();
    link.write(
        0,
        new Reply.Welcome(
            WireLimits.VERSION,
            said.features() & WireLimits.FEATURES,
            service.node().name(),
            service.cluster(),
            grid,
            service.node().commits().millis(),
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
      link.goodbye(
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
    link.authenticate(() -> carryOut(asked, step.data()));
  }

  /** Carries the exchange out, on a worker. */
  private void carryOut(Authentication.Exchange asked, byte[] data) {
    try {
      Authentication.Answer answer = asked.answer(data);
      link.onLoop(() -> onAnswer(answer));
    } catch (CanopyException e) {
      service.audit().refused(link.client(), "", PROTOCOL, e);
      link.onLoop(() -> link.goodbye(e.code(), e.detail()));
    } catch (RuntimeException e) {
      LOG.error("authentication failed", e);
      link.onLoop(
          () -> link.goodbye(ErrorCode.UNAUTHENTICATED, "the credentials cannot be checked"));
    }
  }

  private void onAnswer(Authentication.Answer answer) {
    busy = false;
    link.write(0, new Reply.Challenge(answer.done(), answer.data()));
    if (answer.done()) {
      user = answer.user();
      access = answer.access();
      service.audit().loggedIn(link.client(), PROTOCOL);
      link.handshakeStepped();
    }
  }
}
