package io.canopygrid.server.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A stream of the changes of an index, as a receiver reads it. For one thread. */
final class FeedEvents implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpResponse<InputStream> answer;
  private final BufferedReader lines;
  private String position = "";

  /**
   * An event.
   *
   * @param name empty: it has none
   */
  record Event(String name, JsonNode data) {}

  /** Opens a stream after a position; empty: where the target says. */
  FeedEvents(ApiCaller api, String target, String after) throws Exception {
    HttpRequest.Builder request =
        api.request("/api/v1/indexes/" + target).header("accept", "text/event-stream");
    if (!after.isEmpty()) {
      request.header("last-event-id", after);
    }
    answer = api.http().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  HttpResponse<InputStream> answer() {
    return answer;
  }

  /** The last id that came. */
  String position() {
    return position;
  }

  /** Reads up to the end of the next block; its event, or null where it has none. */
  @Nullable Event block() throws IOException {
    String name = "";
    String data = "";
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.startsWith("id: ")) {
        position = line.substring(4);
      } else if (line.startsWith("event: ")) {
        name = line.substring(7);
      } else if (line.startsWith("data: ")) {
        data = line.substring(6);
      }
    }
    return data.isEmpty() ? null : new Event(name, JSON.readTree(data));
  }

  private String line() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      throw new IOException("the stream has ended");
    }
    return line;
  }

  /** The next event. */
  Event next() throws IOException {
    while (true) {
      Event event = block();
      if (event != null) {
        return event;
      }
    }
  }

  /** Whether nothing more comes. */
  boolean isAtEnd() throws IOException {
    return lines.readLine() == null;
  }

  @Override
  public void close() {
    try {
      answer.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
