package io.canopygrid.server.export;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The progress of an export of a named snapshot; kept in a file beside the one that is written.
 *
 * @param what what is exported, and how, in words
 * @param at the position
 * @param bytes how many bytes, from the first on, are on the disk
 * @param checksum the checksum of these bytes
 */
record ExportMark(
    @JsonProperty("what") String what,
    @JsonProperty("at") Position at,
    @JsonProperty("bytes") long bytes,
    @JsonProperty("checksum") long checksum) {
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * The position of an export.
   *
   * @param token the resume token of what is not written yet, as text
   * @param records how many records are written
   * @param wrong how many entries were left out
   * @param total how many entries there are, with those
   */
  record Position(
      @JsonProperty("token") String token,
      @JsonProperty("records") long records,
      @JsonProperty("wrong") long wrong,
      @JsonProperty("total") long total) {}

  private static Path of(Path file) {
    return file.resolveSibling(file.getFileName() + ".canopy-export");
  }

  /**
   * The mark of a file that was begun before.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}: there is no mark, or something else
   *     was begun
   */
  static ExportMark read(Path file, String what) {
    ExportMark mark;
    try {
      mark = JSON.readValue(of(file).toFile(), ExportMark.class);
    } catch (IOException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "there is nothing to resume, or it cannot be read: " + of(file) + ": " + e.getMessage(),
          e);
    }
    if (!what.equals(mark.what)) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "what was begun is another export: " + mark.what + "; this one is: " + what);
    }
    return mark;
  }

  /** Replaces the mark of a file atomically. */
  void write(Path file) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".canopy-export.new");
    JSON.writeValue(next.toFile(), this);
    Files.move(next, of(file), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes the mark of a file that is whole, or begun anew. */
  static void remove(Path file) throws IOException {
    Files.deleteIfExists(of(file));
  }
}
