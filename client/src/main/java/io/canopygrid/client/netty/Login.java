package io.canopygrid.client.netty;

import com.ongres.scram.client.ScramClient;
import com.ongres.scram.common.exception.ScramException;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells a server who is asking: SCRAM-SHA-256 (RFC 7677), in which the password is not sent and the
 * server proves that it knows it too. Confined to the connection's thread.
 */
final class Login {
  private static final String MECHANISM = "SCRAM-SHA-256";

  private final ScramClient scram;
  private boolean proved;

  /**
   * A dialogue to be begun.
   *
   * @param offered what the server knows
   * @throws CanopyException {@link ErrorCode#UNAUTHENTICATED} where it cannot succeed
   */
  Login(List<String> offered, @Nullable String user, char @Nullable [] password) {
    if (user == null || password == null) {
      throw refused("the server wants to know a user");
    }
    if (!offered.contains(MECHANISM)) {
      throw refused("the server knows " + offered + ", this client " + MECHANISM);
    }
    try {
      scram =
          ScramClient.builder()
              .advertisedMechanisms(List.of(MECHANISM))
              .username(user)
              .password(password.clone())
              .build();
    } catch (IllegalArgumentException e) {
      throw new CanopyException(
          ErrorCode.UNAUTHENTICATED, "user or password cannot be used: " + e.getMessage(), e);
    }
  }

  /** The first message. */
  Request.Authenticate begin() {
    return said(scram.clientFirstMessage().toString());
  }

  /** The next message; null: the server knows the user, and this client the server. */
  Request.@Nullable Authenticate next(Reply.Challenge challenge) {
    String text = new String(challenge.data(), StandardCharsets.UTF_8);
    try {
      if (challenge.done()) {
        scram.serverFinalMessage(text);
        return null;
      }
      if (proved) {
        throw refused("the server asks once more");
      }
      proved = true;
      scram.serverFirstMessage(text);
      return said(scram.clientFinalMessage().toString());
    } catch (ScramException | IllegalArgumentException | IllegalStateException e) {
      throw new CanopyException(
          ErrorCode.UNAUTHENTICATED, "the login failed: " + e.getMessage(), e);
    }
  }

  private static Request.Authenticate said(String text) {
    return new Request.Authenticate(MECHANISM, text.getBytes(StandardCharsets.UTF_8));
  }

  private static CanopyException refused(String why) {
    return new CanopyException(ErrorCode.UNAUTHENTICATED, why);
  }
}
