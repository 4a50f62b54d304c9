package io.canopygrid.server.security;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.access.Right;
import java.util.Arrays;
import java.util.Locale;

/** The roles of users. Each role includes the rights of the one before it. */
public enum Role {
  /** May read. */
  READER(Right.READ),
  /** May write and create indexes as well. */
  WRITER(Right.WRITE),
  /** May change users, named snapshots and the structure of indexes as well. */
  ADMIN(Right.ADMIN);

  private final Right greatest;

  Role(Right greatest) {
    this.greatest = greatest;
  }

  boolean allows(Right right) {
    return right.compareTo(greatest) <= 0;
  }

  /** The role as commands and messages write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The role with this text.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  public static Role of(String text) {
    return Arrays.stream(values())
        .filter(role -> role.text().equals(text))
        .findAny()
        .orElseThrow(() ->
            new CanopyException(
                ErrorCode.INVALID_ARGUMENT,
                "a role is reader, writer or admin, not '" + text + "'"));
  }
}
