package io.canopygrid.server.endpoint.http;

import java.util.Map;

/**
 * The answer to a request. The array is not to be changed.
 *
 * @param status of HTTP
 * @param type of the body; empty: there is no body
 * @param headers beside those of the body
 */
public record ApiResponse(int status, String type, byte[] body, Map<String, String> headers) {
  /** The type of answers that are no errors. */
  static final String JSON = "application/json";

  /** The type of an answer to which more is added, until one of both closes the connection. */
  static final String EVENTS = "text/event-stream";

  /** Whether more is to be added to the answer to a request. */
  public boolean isStream() {
    return type.equals(EVENTS);
  }

  /** An answer of JSON. */
  static ApiResponse of(int status, Object fields) {
    return new ApiResponse(status, JSON, Json.bytes(fields), Map.of());
  }

  /** An answer that all is done as it was asked. */
  static ApiResponse done() {
    return new ApiResponse(204, "", new byte[0], Map.of());
  }
}
