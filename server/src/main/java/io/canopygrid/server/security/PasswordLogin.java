package io.canopygrid.server.security;

import com.ongres.scram.common.ScramFunctions;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.wire.client.Request;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Logs users in by their passwords, as HTTP has it. The check of a password costs as much as that
 * of a client costs the client, so few are made at a time, and those that were right are kept: as a
 * code from which the password cannot be found, with the credential that it was right for. So a new
 * password counts at once. Thread-safe; blocks.
 */
final class PasswordLogin {
  /** The most passwords that are known to be right. */
  private static final int KNOWN_MAX = 1_000;

  /** The most logins that wait for the check of their password. */
  private static final int WAITING_MAX = 8;

  private static final long WAIT_SECONDS_MAX = 2;

  private final Users users;
  private final byte[] secret;
  private final Semaphore waiting = new Semaphore(WAITING_MAX);
  private final Semaphore checking =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  private final Map<ByteBuffer, byte[]> known =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<ByteBuffer, byte[]> eldest) {
              return size() > KNOWN_MAX;
            }
          });

  /** Logs these users in; the secret is this server's. */
  PasswordLogin(Users users, byte[] secret) {
    this.users = users;
    this.secret = secret.clone();
  }

  /** The rights of a user with this password. */
  Access login(String name, char[] password) {
    Users.Stored user = users.find(name);
    Request.Credential credential =
        user == null ? Credentials.pretended(secret, name) : user.credential();
    boolean isRight = isKnown(name, password, credential) || isChecked(name, password, credential);
    if (!isRight || user == null) {
      throw new CanopyException(
          ErrorCode.UNAUTHENTICATED, "user '" + name + "' is not known with this password");
    }
    return GrantedAccess.of(users, user);
  }

  private boolean isKnown(String name, char[] password, Request.Credential credential) {
    byte[] rightFor = known.get(code(name, password));
    return rightFor != null && Arrays.equals(rightFor, credential.storedKey());
  }

  private boolean isChecked(String name, char[] password, Request.Credential credential) {
    if (!waiting.tryAcquire()) {
      throw overloaded();
    }
    try {
      if (!checking.tryAcquire(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw overloaded();
      }
      try {
        boolean isRight =
            isKnown(name, password, credential) || Credentials.matches(password, credential);
        if (isRight) {
          known.put(code(name, password), credential.storedKey().clone());
        }
        return isRight;
      } finally {
        checking.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(ErrorCode.INTERRUPTED, "the server stops", e);
    } finally {
      waiting.release();
    }
  }

  private static CanopyException overloaded() {
    return new CanopyException(ErrorCode.OVERLOADED, "too many passwords are being checked");
  }

  private ByteBuffer code(String name, char[] password) {
    ByteBuffer words =
        StandardCharsets.UTF_8.encode(CharBuffer.wrap(name + "\0" + new String(password)));
    byte[] bytes = new byte[words.remaining()];
    words.get(bytes);
    return ByteBuffer.wrap(ScramFunctions.hmac(Credentials.MECHANISM, secret, bytes));
  }
}
