package io.canopygrid.it.metrics;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The metrics of a server as it has told them, in Prometheus' text. */
public record ServerMetrics(String text) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Asks the server at {@code host:port}. */
  public static ServerMetrics of(String address) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).timeout(LIMIT).build();
    return new ServerMetrics(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  /** The value of a metric without labels, which has to be there. */
  public double value(String name) {
    return text.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(ServerMetrics::valueOf)
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no metric " + name));
  }

  /** The sum of all values of a metric whose labels contain a text; 0 where there is none. */
  public long sum(String name, String label) {
    return text.lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> line.contains(label))
        .mapToLong(line -> (long) valueOf(line))
        .sum();
  }

  private static double valueOf(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }
}
