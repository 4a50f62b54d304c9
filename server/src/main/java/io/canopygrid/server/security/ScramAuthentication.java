package io.canopygrid.server.security;

import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Authentication;
import java.security.SecureRandom;
import java.util.List;

/** SCRAM-SHA-256 (RFC 7677) with the users of the grid. Thread-safe. */
public final class ScramAuthentication implements Authentication {
  private static final int SECRET_BYTES = 32;

  private final Users users;
  private final SecureRandom random = new SecureRandom();

  /**
   * The secret from which salts of unknown users are derived, so that a client cannot tell which
   * users exist.
   */
  private final byte[] secret = new byte[SECRET_BYTES];

  private final PasswordLogin passwords;

  /** Authenticates these users. */
  public ScramAuthentication(Users users) {
    this.users = users;
    random.nextBytes(secret);
    this.passwords = new PasswordLogin(users, secret);
  }

  @Override
  public List<String> mechanisms() {
    return List.of(Credentials.MECHANISM.getName());
  }

  @Override
  public Access login(String user, char[] password) {
    return passwords.login(user, password);
  }

  @Override
  public Exchange begin(String mechanism) {
    return new ScramExchange(users, random, secret);
  }
}
