package io.canopygrid.server.security;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a password from a file, whose first line it is. */
public final class PasswordFile {
  private PasswordFile() {}

  /**
   * The password.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID}
   */
  public static char[] read(Path file) {
    try {
      String password = Files.readString(file).lines().findFirst().orElse("");
      if (password.isEmpty()) {
        throw new CanopyException(ErrorCode.CONFIG_INVALID, file + ": has no password in it");
      }
      return password.toCharArray();
    } catch (IOException e) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, file + ": cannot be read: " + e, e);
    }
  }
}
