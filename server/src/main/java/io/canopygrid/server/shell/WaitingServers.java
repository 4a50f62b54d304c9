package io.canopygrid.server.shell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.recovery.MissingReport;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers that may wait for disks, by the HTTP of their ports for clients. */
final class WaitingServers {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ServerHttp http;

  /**
   * One server's answer.
   *
   * @param server its address
   * @param report null: it has none
   * @param waits whether it waits, or may, for all that is known
   * @param problem why there is no report; empty: there is one
   */
  record Answer(String server, @Nullable MissingReport report, boolean waits, String problem) {}

  WaitingServers(Connect connect) {
    http = connect.http();
  }

  /** Asks all of them what would be missing without these disks, too. */
  List<Answer> ask(List<String> without) {
    return http.servers().stream().map(server -> send(server, without, "GET", false)).toList();
  }

  /** Says to one of them that these disks are lost. */
  Answer lose(String server, List<String> without, boolean losesShards) {
    return send(server, without, "POST", losesShards);
  }

  private Answer send(String server, List<String> without, String method, boolean losesShards) {
    List<String> query = new ArrayList<>();
    without.forEach(
        each -> query.add("without=" + URLEncoder.encode(each, StandardCharsets.UTF_8)));
    if (losesShards) {
      query.add("lose-shards");
    }
    try {
      HttpRequest request =
          http.request(server, "/recover" + (query.isEmpty() ? "" : "?" + String.join("&", query)))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .header("Canopy-Command", "recover")
              .build();
      HttpResponse<String> answer = http.send(request);
      if (answer.statusCode() == OK) {
        return new Answer(server, JSON.readValue(answer.body(), MissingReport.class), true, "");
      }
      boolean waits = answer.statusCode() != NOT_FOUND;
      return new Answer(server, null, waits, answer.body().strip());
    } catch (JsonProcessingException e) {
      return new Answer(server, null, true, "is of another release: " + e.getOriginalMessage());
    } catch (IOException e) {
      return new Answer(server, null, true, "does not answer: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted while servers are asked", e);
    }
  }
}
