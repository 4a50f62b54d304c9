package io.canopygrid.server.endpoint.http;

import static io.canopygrid.server.endpoint.http.ApiResponse.EVENTS;

import io.canopygrid.server.endpoint.access.Access;

/**
 * A request whose sender is known. The array is not to be changed.
 *
 * @param method as it was sent
 * @param target path and query, as they were sent
 * @param contentType of the body, as it was sent; empty: none was named
 * @param known the tags of what its sender has already, as they were sent; empty: none
 * @param accept the types of answers that its sender takes, as they were sent; empty: any
 * @param lastEvent the id of the last event of a stream that its sender has, as it was sent; empty:
 *     none
 * @param traceParent the place in a trace that it was sent from, as it was sent; empty: none
 * @param access the sender's rights
 * @param client the sender's name and address, for the log
 */
public record ApiRequest(
    String method,
    String target,
    String contentType,
    String known,
    String accept,
    String lastEvent,
    String traceParent,
    byte[] body,
    Access access,
    String client) {
  /** Whether the sender asks for events instead of an answer that ends. */
  boolean wantsEvents() {
    for (String type : accept.split(",", -1)) {
      if (type.strip().regionMatches(true, 0, EVENTS, 0, EVENTS.length())) {
        return true;
      }
    }
    return false;
  }
}
