package io.canopygrid.server.security;

import com.ongres.scram.common.ClientFirstMessage;
import com.ongres.scram.common.Gs2CbindFlag;
import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ServerFinalMessage;
import com.ongres.scram.common.ServerFirstMessage;
import com.ongres.scram.common.exception.ScramParseException;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.wire.client.Request;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one exchange (RFC 5802, section 5). The nonce is new for each exchange, so
 * the messages of another exchange prove nothing in this one.
 */
final class ScramExchange implements Authentication.Exchange {
  private static final int NONCE_LENGTH = 24;
  private static final int MESSAGE_MAX = 4_096;

  private final Users users;
  private final SecureRandom random;
  private final byte[] secret;
  private @Nullable ClientFirstMessage first;
  private String firstText = "";

  /** The length of the first message's header, which the last message repeats. */
  private int headerLength;

  private @Nullable ServerFirstMessage challenge;
  private Users.@Nullable Stored user;
  private Request.@Nullable Credential credential;
  private boolean over;

  ScramExchange(Users users, SecureRandom random, byte[] secret) {
    this.users = users;
    this.random = random;
    this.secret = secret;
  }

  @Override
  public Authentication.Answer answer(byte[] message) {
    if (message.length > MESSAGE_MAX || over) {
      throw refused("the exchange is over");
    }
    String text = new String(message, StandardCharsets.UTF_8);
    try {
      return first == null ? challenge(text, ClientFirstMessage.parseFrom(text)) : prove(text);
    } catch (ScramParseException | IllegalArgumentException e) {
      over = true;
      throw refused("that is not SCRAM: " + e.getMessage());
    }
  }

  private Authentication.Answer challenge(String text, ClientFirstMessage said) {
    if (said.getGs2Header().getChannelBindingFlag() == Gs2CbindFlag.CHANNEL_BINDING_REQUIRED) {
      throw refused("channel binding is not offered");
    }
    first = said;
    headerLength = text.indexOf(',', text.indexOf(',') + 1) + 1;
    firstText = text;
    user = users.find(said.getUsername());
    Request.Credential known =
        user == null ? Credentials.pretended(secret, said.getUsername()) : user.credential();
    credential = known;
    ServerFirstMessage asked =
        new ServerFirstMessage(
            said.getClientNonce(),
            ScramFunctions.nonce(NONCE_LENGTH, random),
            Base64.getEncoder().encodeToString(known.salt()),
            known.iterations());
    challenge = asked;
    return new Authentication.Answer(
        asked.toString().getBytes(StandardCharsets.UTF_8), false, said.getUsername(), NOTHING);
  }

  private static final io.canopygrid.server.endpoint.access.Access NOTHING =
      (right, index) -> {
        throw refused("it is not known who this is");
      };

  private Authentication.Answer prove(String text) {
    over = true;
    ClientFirstMessage said = present(first);
    ServerFirstMessage asked = present(challenge);
    Request.Credential known = present(credential);
    String[] parts = text.split(",", -1);
    byte[] header = firstText.substring(0, headerLength).getBytes(StandardCharsets.UTF_8);
    boolean fits =
        parts.length == 3
            && Arrays.equals(decode(parts[0], "c="), header)
            && parts[1].equals("r=" + asked.getNonce());
    if (!fits) {
      throw refused("the answer is not to this challenge");
    }
    byte[] proof = decode(parts[2], "p=");
    String auth =
        String.join(",", firstText.substring(headerLength), asked.toString(), parts[0], parts[1]);
    boolean right =
        proof.length == known.storedKey().length
            && ScramFunctions.verifyClientProof(
                Credentials.MECHANISM, proof, known.storedKey(), auth);
    Users.Stored who = user;
    if (!right || who == null) {
      throw refused("user '" + said.getUsername() + "' is not known with this password");
    }
    byte[] signature =
        ScramFunctions.serverSignature(Credentials.MECHANISM, known.serverKey(), auth);
    return new Authentication.Answer(
        new ServerFinalMessage(signature).toString().getBytes(StandardCharsets.UTF_8),
        true,
        who.name(),
        GrantedAccess.of(users, who));
  }

  private static byte[] decode(String part, String prefix) {
    if (!part.startsWith(prefix)) {
      throw new IllegalArgumentException("'" + prefix + "' is missing");
    }
    return Base64.getDecoder().decode(part.substring(prefix.length()));
  }

  private static <T> T present(@Nullable T value) {
    if (value == null) {
      throw refused("the exchange has not begun");
    }
    return value;
  }

  private static CanopyException refused(String why) {
    return new CanopyException(ErrorCode.UNAUTHENTICATED, why);
  }
}
