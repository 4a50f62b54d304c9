package io.canopygrid.server.diag;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.shell.ServerHttp;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;

/** Facts that servers tell by HTTP, each as far as it answers. Confined to one thread. */
final class ServerFacts {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectWriter PRETTY = JSON.writerWithDefaultPrettyPrinter();
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private static final Map<String, String> PATHS = new LinkedHashMap<>();

  static {
    PATHS.put("ready.txt", "/health/ready");
    PATHS.put("metrics.txt", "/metrics");
    PATHS.put("config.json", "/api/v1/config");
    PATHS.put("transactions.json", "/api/v1/transactions");
    PATHS.put("placement.json", "/api/v1/placement");
  }

  private final ServerHttp http;
  private final Bundle bundle;
  private String cluster = "";

  ServerFacts(ServerHttp http, Bundle bundle) {
    this.http = http;
    this.bundle = bundle;
  }

  /** The name of the cluster; empty: no server has told its settings. */
  String cluster() {
    return cluster;
  }

  /** Adds what a server tells. */
  void add(String server) {
    String folder = "servers/" + server.replaceAll("[^A-Za-z0-9._-]", "_") + "/";
    for (Map.Entry<String, String> part : PATHS.entrySet()) {
      String text = text(server, part.getValue(), folder + part.getKey());
      if (part.getKey().equals("config.json") && !text.isEmpty()) {
        cluster = tree(text).path("settings").path("cluster.name").path("value").asText(cluster);
      }
      if (!text.isEmpty()) {
        bundle.add(folder + part.getKey(), part.getKey().endsWith(".json") ? pretty(text) : text);
      }
    }
    String text = text(server, "/api/v1/diagnostics", folder + "jvm.json, threads.txt, log.txt");
    if (!text.isEmpty()) {
      JsonNode told = tree(text);
      bundle.add(folder + "jvm.json", pretty(told.path("jvm").toString()));
      bundle.add(folder + "threads.txt", lines(told.path("threads"), "\n\n"));
      bundle.add(folder + "log.txt", lines(told.path("log"), "\n"));
    }
  }

  private static String lines(JsonNode texts, String end) {
    StringBuilder lines = new StringBuilder();
    texts.forEach(text -> lines.append(text.asText()).append(end));
    return lines.toString();
  }

  /** The answer to a request; empty: there is none, which the bundle says. */
  private String text(String server, String path, String name) {
    try {
      HttpResponse<String> answer = http.get(server, path);
      boolean isObstacle = answer.statusCode() == UNAVAILABLE && path.equals("/health/ready");
      if (answer.statusCode() == OK || isObstacle) {
        return answer.body();
      }
      bundle.lacks(name, "HTTP " + answer.statusCode() + " " + detail(answer.body()));
    } catch (IOException e) {
      bundle.lacks(name, "not asked, or no answer: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted while servers are asked", e);
    }
    return "";
  }

  /** The sentence of a problem, or the text itself. */
  private static String detail(String body) {
    return tree(body).path("detail").asText(body.strip());
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return JSON.createObjectNode(); // a server of another kind
    }
  }

  private static String pretty(String json) {
    try {
      return PRETTY.writeValueAsString(JSON.readTree(json)) + "\n";
    } catch (JsonProcessingException e) {
      return json;
    }
  }
}
