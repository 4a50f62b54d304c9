package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Sends requests to the HTTP API of a server, and reads its JSON.
 *
 * @param login user and password with a colon between; empty: none
 */
record ApiCaller(HttpClient http, String server, String login) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Calls the server without a user. */
  static ApiCaller of(TestServer server) {
    return new ApiCaller(HttpClient.newHttpClient(), "http://" + server.address(), "");
  }

  ApiCaller as(String user, String password) {
    return new ApiCaller(http, server, user + ":" + password);
  }

  /** An answer. */
  record Answer(int status, String type, JsonNode json, HttpResponse<String> response) {
    /** Checks that it is this error, told as such. */
    Answer is(int expected, ErrorCode code) {
      assertThat(response.body()).contains(code.id());
      assertThat(status).as(response.body()).isEqualTo(expected);
      assertThat(type).isEqualTo("application/problem+json");
      assertThat(json.get("title").asText()).isEqualTo(code.name());
      assertThat(json.get("status").asInt()).isEqualTo(expected);
      assertThat(json.get("retryable").isBoolean()).isTrue();
      return this;
    }

    /** Checks that it is no error; its body. */
    JsonNode ok() {
      assertThat(status).as(response.body()).isEqualTo(200);
      assertThat(type).isEqualTo("application/json");
      return json;
    }
  }

  HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
    if (!login.isEmpty()) {
      byte[] words = login.getBytes(StandardCharsets.UTF_8);
      request.header("authorization", "Basic " + Base64.getEncoder().encodeToString(words));
    }
    return request;
  }

  Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    String type = answer.headers().firstValue("content-type").orElse("");
    JsonNode json = answer.body().isEmpty() ? JSON.nullNode() : JSON.readTree(answer.body());
    return new Answer(answer.statusCode(), type, json, answer);
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send(request("/api/v1" + path));
  }

  Answer delete(String path) throws IOException, InterruptedException {
    return send(request("/api/v1" + path).DELETE());
  }

  Answer put(String path, String body) throws IOException, InterruptedException {
    return json("PUT", path, body);
  }

  Answer post(String path, String body) throws IOException, InterruptedException {
    return json("POST", path, body);
  }

  private Answer json(String method, String path, String body)
      throws IOException, InterruptedException {
    return send(
        request("/api/v1" + path)
            .header("content-type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }

  /** Creates an index. */
  void index(String name, String keys, String values) throws IOException, InterruptedException {
    put("/indexes/" + name, "{\"keys\":\"" + keys + "\",\"values\":\"" + values + "\"}").ok();
  }

  /** Runs a transaction of these operations. */
  Answer transact(String... operations) throws IOException, InterruptedException {
    return post("/transactions", "{\"operations\":[" + String.join(",", operations) + "]}");
  }

  /** The number of open streams and waiting requests of the server. */
  long streams() throws IOException, InterruptedException {
    for (JsonNode metric : get("/metrics").ok().get("metrics")) {
      if (metric.get("name").asText().equals("canopy_api_event_streams")) {
        return metric.get("value").asLong();
      }
    }
    return -1;
  }
}
