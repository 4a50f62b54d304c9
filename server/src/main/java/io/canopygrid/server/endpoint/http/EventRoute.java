package io.canopygrid.server.endpoint.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * Live views of the cluster as server-sent events: each event has the name of a view, and what the
 * view's own path answers to the same user. One call makes one event of each. Thread-safe.
 */
final class EventRoute {
  private final Map<String, Route.Handler> views;

  /** The events of these views, by the names of the events. */
  EventRoute(Map<String, Route.Handler> views) {
    this.views = new TreeMap<>(views);
  }

  Route route() {
    return new Route("GET", "/api/v1/events", this::events);
  }

  private ApiResponse events(Call call) throws RefusedException {
    call.checkQuery();
    call.checkNoBody();
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    for (Map.Entry<String, Route.Handler> view : views.entrySet()) {
      // The answer is one line, which ends the data; the empty line ends the event.
      events.writeBytes(("event: " + view.getKey() + "\ndata: ").getBytes(UTF_8));
      events.writeBytes(view.getValue().answer(call).body());
      events.write('\n');
    }
    return new ApiResponse(200, ApiResponse.EVENTS, events.toByteArray(), Map.of());
  }
}
