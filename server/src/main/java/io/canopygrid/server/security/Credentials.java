package io.canopygrid.server.security;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import com.ongres.scram.common.StringPreparation;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.client.Request;
import java.security.SecureRandom;

/** Makes of a password what a server keeps of it, from which the password cannot be found. */
public final class Credentials {
  static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA_256;

  /** Far above the least of RFC 7677, as each login pays for it once and a guess each time. */
  static final int ITERATIONS = 20_000;

  static final int ITERATIONS_MIN = 4_096;
  static final int ITERATIONS_MAX = 1_000_000;
  static final int SALT_BYTES = 16;

  private Credentials() {}

  /**
   * What is kept of a password, with a salt of its own.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where it cannot be a password
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

  /** Refuses what is no credential. */
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
