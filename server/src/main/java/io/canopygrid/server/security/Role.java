package io.canopygrid.server.security;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.access.Right;
import java.util.Arrays;
import java.util.Locale;

/** What somebody may do, each all of the one before too. */
public enum Role {
  /** Reads. */
  READER(Right.READ),
  /** Also writes, and creates indexes. */
  WRITER(Right.WRITE),
  /** Also changes users and named snapshots. */
  ADMIN(Right.ADMIN);

  private final Right greatest;

  Role(Right greatest) {
    this.greatest = greatest;
  }

  boolean allows(Right right) {
    return right.compareTo(greatest) <= 0;
  }

  /** As it is written in commands and messages. */
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
