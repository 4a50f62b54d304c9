package io.canopygrid.server.security;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import com.ongres.scram.common.StringPreparation;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.client.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Derives the credential of a password that servers store. The password cannot be found from it.
 */
public final class Credentials {
  static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA_256;

  /**
   * The iterations, far above the minimum of RFC 7677: each login pays for them once, an attacker
   * at each guess.
   */
  static final int ITERATIONS = 20_000;

  static final int ITERATIONS_MIN = 4_096;
  static final int ITERATIONS_MAX = 1_000_000;
  static final int SALT_BYTES = 16;

  private Credentials() {}

  /**
   * The credential of a password, with a new salt.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where the password is not allowed
   */
  public static Request.Credential of(char[] password) {
    byte[] salt = ScramFunctions.salt(SALT_BYTES, new SecureRandom());
    try {
      byte[] salted =
          ScramFunctions.saltedPassword(
              MECHANISM, StringPreparation.POSTGRESQL_PREPARATION, password, salt, ITERATIONS);
      return new Request.Credential(
          salt,
          ITERATIONS,
          ScramFunctions.storedKey(MECHANISM, ScramFunctions.clientKey(MECHANISM, salted)),
          ScramFunctions.serverKey(MECHANISM, salted));
    } catch (IllegalArgumentException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "it cannot be a password: " + e.getMessage(), e);
    }
  }

  /**
   * The credential of an unknown user, which is the same each time, and which no password matches.
   *
   * @param secret of this server
   */
  static Request.Credential pretended(byte[] secret, String name) {
    byte[] mac = ScramFunctions.hmac(MECHANISM, secret, name.getBytes(StandardCharsets.UTF_8));
    return new Request.Credential(Arrays.copyOf(mac, SALT_BYTES), ITERATIONS, mac, mac);
  }

  /** Whether a password is that of a credential; takes some milliseconds of a processor. */
  static boolean matches(char[] password, Request.Credential credential) {
    try {
      byte[] salted =
          ScramFunctions.saltedPassword(
              MECHANISM,
              StringPreparation.POSTGRESQL_PREPARATION,
              password,
              credential.salt(),
              credential.iterations());
      byte[] key = ScramFunctions.storedKey(MECHANISM, ScramFunctions.clientKey(MECHANISM, salted));
      return MessageDigest.isEqual(key, credential.storedKey());
    } catch (IllegalArgumentException e) {
      return false; // no user can have such a password
    }
  }

  /** Refuses a credential that is malformed. */
  static void check(Request.Credential credential) {
    if (credential.iterations() < ITERATIONS_MIN
        || credential.iterations() > ITERATIONS_MAX
        || credential.salt().length < SALT_BYTES / 2
        || credential.salt().length > 1_024
        || credential.storedKey().length != 32
        || credential.serverKey().length != 32) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "it is not a credential of SCRAM-SHA-256");
    }
  }
}
