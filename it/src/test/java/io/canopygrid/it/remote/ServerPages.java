package io.canopygrid.it.remote;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

/** The HTTP pages of a server, and the request to collect its garbage. */
final class ServerPages {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final String address;

  /** Creates the pages of the server at {@code host:port}. */
  ServerPages(String address) {
    this.address = address;
  }

  /** The metrics in Prometheus' text. */
  String metrics() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).timeout(LIMIT).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** The sum of all values of a metric whose labels contain a text; 0 where there is none. */
  static long sum(String metrics, String name, String label) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> line.contains(label))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Collects all garbage of a JVM of this machine. */
  static void collect(long pid) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("jcmd " + pid + " GC.run failed: " + process.exitValue());
    }
  }
}
