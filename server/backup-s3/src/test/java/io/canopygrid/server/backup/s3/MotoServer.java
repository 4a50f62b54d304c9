package io.canopygrid.server.backup.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server that speaks as S3 does: moto, which {@code .ci/run} installs below {@code target}. */
final class MotoServer implements AutoCloseable {
  static final Path PROGRAM = Path.of("target", "moto", "bin", "moto_server");

  private static final Duration START_MAX = Duration.ofSeconds(60);

  private final Process process;
  private final URI uri;
  private final HttpClient http = HttpClient.newHttpClient();

  private MotoServer(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  static MotoServer start() throws IOException, InterruptedException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Process process =
        new ProcessBuilder(PROGRAM.toString(), "-H", "127.0.0.1", "-p", Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    MotoServer server = new MotoServer(process, URI.create("http://127.0.0.1:" + port));
    long deadlineNanos = System.nanoTime() + START_MAX.toNanos();
    while (!server.answers()) {
      assertThat(process.isAlive() && System.nanoTime() - deadlineNanos < 0).isTrue();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    return server;
  }

  private boolean answers() throws InterruptedException {
    try {
      send(HttpRequest.newBuilder(uri.resolve("/moto-api/")).build());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private int send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  void createBucket(String name) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri.resolve("/" + name))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    assertThat(send(request)).isEqualTo(200);
  }

  /** A place in it. */
  String location(String place) {
    return "s3://" + place + "?endpoint=" + uri + "&region=us-east-1";
  }

  @Override
  public void close() {
    process.destroy();
  }
}
