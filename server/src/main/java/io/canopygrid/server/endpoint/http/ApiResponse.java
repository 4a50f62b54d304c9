package io.canopygrid.server.endpoint.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request. The array is not to be changed.
 *
 * @param status of HTTP
 * @param type of the body; empty: there is no body
 * @param headers beside those of the body
 * @param turns make the answer where it comes later, or the rest of a stream, and are closed by
 *     whoever gets this; null: none
 */
public record ApiResponse(
    int status, String type, byte[] body, Map<String, String> headers, @Nullable Turns turns) {
  private static final byte[] NONE = {};

  /**
   * The turns in which an answer is made that does not come at once, or that does not end. Used by
   * one thread at a time, and closed.
   */
  public interface Turns extends AutoCloseable {
    /**
     * Takes a turn; may block, but does not wait for something to happen.
     *
     * @return the answer, or the next part of one that is a {@linkplain ApiResponse#isStream
     *     stream}; null: there is none yet
     */
    @Nullable ApiResponse next();

    /** The pause before the next turn. */
    long pauseMillis();

    /** Frees what the turns keep; does not wait for others. */
    @Override
    void close();
  }

  /** The type of answers that are no errors. */
  static final String JSON = "application/json";

  /** The type of an answer to which more is added, until one of both closes the connection. */
  static final String EVENTS = "text/event-stream";

  /** An answer that is whole, or a stream whose request is answered again for more. */
  ApiResponse(int status, String type, byte[] body, Map<String, String> headers) {
    this(status, type, body, headers, null);
  }

  /** Whether more is to be added to the answer to a request. */
  public boolean isStream() {
    return type.equals(EVENTS);
  }

  /** Whether this is no answer yet: the turns make it. */
  public boolean isLater() {
    return turns != null && !isStream();
  }

  /** An answer that comes later. */
  static ApiResponse later(Turns turns) {
    return new ApiResponse(200, "", NONE, Map.of(), turns);
  }

  /** Events of a stream. */
  static ApiResponse events(String events, @Nullable Turns more) {
    return new ApiResponse(200, EVENTS, events.getBytes(UTF_8), Map.of(), more);
  }

  /** The same answer with other turns. */
  ApiResponse by(Turns others) {
    return new ApiResponse(status, type, body, headers, others);
  }

  /** An answer of JSON. */
  static ApiResponse of(int status, Object fields) {
    return new ApiResponse(status, JSON, Json.bytes(fields), Map.of());
  }

  /** An answer that all is done as it was asked. */
  static ApiResponse done() {
    return new ApiResponse(204, "", NONE, Map.of());
  }
}
