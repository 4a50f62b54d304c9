package io.canopygrid.server.watch;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedPosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** The file that keeps the position of a watch from one run to the next. */
record PositionFile(Path path) {
  /**
   * The position; empty: there is no file.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where it cannot be read; {@link
   *     ErrorCode#INVALID_TOKEN} where it has no position
   */
  Optional<FeedPosition> read() {
    String text;
    try {
      text = Files.readString(path, StandardCharsets.ISO_8859_1).strip();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw failed("read", e);
    }
    try {
      return Optional.of(FeedPosition.parse(text));
    } catch (CanopyException e) {
      throw new CanopyException(e.code(), path + ": " + e.detail(), e);
    }
  }

  /**
   * Replaces the position, wholly or not at all.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where that cannot be done
   */
  void write(FeedPosition position) {
    Path next = path.resolveSibling(path.getFileName() + ".new");
    try {
      Files.writeString(next, position + "\n", StandardCharsets.US_ASCII);
      Files.move(next, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failed("written", e);
    }
  }

  private CanopyException failed(String what, IOException e) {
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    String why = e instanceof NoSuchFileException ? "there is no such directory" : reason;
    return new CanopyException(
        ErrorCode.INVALID_ARGUMENT,
        path + ": it cannot be " + what + ": " + (why == null ? e.toString() : why),
        e);
  }
}
