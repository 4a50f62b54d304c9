package io.canopygrid.server.backup.format;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.release.Release;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A file of a backup that describes something, as JSON. Its first line has the format, the release
 * that wrote it, and the checksum of the rest. Each format keeps this line, so that each release
 * can name a format that it does not know.
 */
public final class BackupDocument {
  /** The format of backups that this release writes. */
  static final int FORMAT = 1;

  private static final JsonMapper JSON = new JsonMapper();
  private static final JsonMapper OF_HEADS =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private BackupDocument() {}

  /** The first line. */
  private record Head(
      @JsonProperty(value = "canopyBackup", required = true) int canopyBackup,
      @JsonProperty("release") String release,
      @JsonProperty("sha256") String sha256) {}

  /** The bytes of a document. */
  public static byte[] write(Object content) {
    try {
      byte[] rest = JSON.writeValueAsBytes(content);
      Head head = new Head(FORMAT, Release.version(), Sha256.of(rest));
      byte[] line = (JSON.writeValueAsString(head) + "\n").getBytes(StandardCharsets.UTF_8);
      byte[] all = new byte[line.length + rest.length];
      System.arraycopy(line, 0, all, 0, line.length);
      System.arraycopy(rest, 0, all, line.length, rest.length);
      return all;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a document is JSON", e);
    }
  }

  /**
   * The content of a document.
   *
   * @param name its name, for errors
   * @throws CanopyException {@link ErrorCode#BACKUP_DAMAGED}, {@link ErrorCode#BACKUP_FORMAT}
   */
  public static <T> T read(String name, byte[] bytes, Class<T> type) {
    int end = 0;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    Head head;
    try {
      head = OF_HEADS.readValue(bytes, 0, end, Head.class);
    } catch (IOException e) {
      throw damaged(name, "it does not begin as a file of a backup does", e);
    }
    if (head.canopyBackup() != FORMAT) {
      throw new CanopyException(
          ErrorCode.BACKUP_FORMAT,
          name
              + " has format "
              + head.canopyBackup()
              + " and was written by release "
              + head.release()
              + "; this release reads format "
              + FORMAT);
    }
    int from = Math.min(end + 1, bytes.length);
    if (!Sha256.of(bytes, from, bytes.length - from).equals(head.sha256())) {
      throw damaged(name, "its bytes are not those that were written", null);
    }
    try {
      return JSON.readValue(bytes, from, bytes.length - from, type);
    } catch (IOException e) {
      throw damaged(name, "it is not readable", e);
    }
  }

  private static CanopyException damaged(
      String name, String what, @org.jspecify.annotations.Nullable Throwable cause) {
    return new CanopyException(ErrorCode.BACKUP_DAMAGED, name + ": " + what, cause);
  }
}
