package io.canopygrid.server.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The progress of a load; kept in a file beside the one that is loaded.
 *
 * @param index the name of the index
 * @param records how many records, from the first on, are committed
 * @param checksum the checksum of these records
 */
record LoadMark(
    @JsonProperty("index") String index,
    @JsonProperty("records") long records,
    @JsonProperty("checksum") long checksum) {
  private static final JsonMapper JSON = new JsonMapper();

  private static Path of(Path file) {
    return file.resolveSibling(file.getFileName() + ".canopy-load");
  }

  /**
   * The mark of a file that was loaded before.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}: there is no mark, or the mark is of
   *     another index
   */
  static LoadMark read(Path file, String index) {
    LoadMark mark;
    try {
      mark = JSON.readValue(of(file).toFile(), LoadMark.class);
    } catch (IOException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "there is nothing to resume, or it cannot be read: " + of(file) + ": " + e.getMessage(),
          e);
    }
    if (!index.equals(mark.index)) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "what was begun goes into index '" + mark.index + "', not '" + index + "'");
    }
    return mark;
  }

  /** Replaces the mark of a file atomically. */
  void write(Path file) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".canopy-load.new");
    JSON.writeValue(next.toFile(), this);
    Files.move(next, of(file), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes the mark of a file whose load has ended. */
  static void remove(Path file) throws IOException {
    Files.deleteIfExists(of(file));
  }
}
