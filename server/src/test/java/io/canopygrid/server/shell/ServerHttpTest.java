package io.canopygrid.server.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Passwords on their way to servers. */
final class ServerHttpTest {
  @Test
  void aPasswordGoesToAnotherMachineByTlsOnly() {
    ServerHttp http = new ServerHttp(List.of("192.0.2.1:1"), false, null, "ada:hush");

    assertThatThrownBy(() -> http.get("192.0.2.1:1", "/api/v1/config"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("by TLS only");
  }

  @Test
  void onlyTheApiGetsThePassword() throws Exception {
    AtomicReference<String> login = new AtomicReference<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(
        "/",
        call -> {
          login.set(String.valueOf(call.getRequestHeaders().getFirst("authorization")));
          call.sendResponseHeaders(204, -1);
          call.close();
        });
    server.start();
    try {
      String address = "127.0.0.1:" + server.getAddress().getPort();
      ServerHttp http = new ServerHttp(List.of(address), false, null, "ada:hush");

      http.get(address, "/metrics");
      assertThat(login).hasValue("null");

      http.get(address, "/api/v1/config");
      assertThat(login).hasValue("Basic YWRhOmh1c2g=");
    } finally {
      server.stop(0);
    }
  }
}
