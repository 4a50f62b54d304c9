package io.canopygrid.server.shell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code canopy upgrade}: shows how far a rolling upgrade is, and finalizes it. */
@Command(
    name = "upgrade",
    description = "Show how far a rolling upgrade is, and finalize it. Only for administrators.",
    footer = {
      "",
      "A release speaks its own level and the one before. Until the upgrade is finalized, nodes can"
          + " be replaced one after the other, and back.",
      "Example: canopy upgrade check -c canopys://vm1,vm2 && canopy upgrade finalize -c"
          + " canopys://vm1,vm2"
    })
public final class UpgradeCommand {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PATH = "/api/v1/upgrade";
  private static final int OK = 200;

  /** The exit code where an upgrade cannot be finalized now. */
  private static final int NOT_NOW = 3;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public UpgradeCommand() {}

  @Command(
      name = "check",
      description = "Show the level of the cluster, and of each node the release and its levels.",
      exitCodeListHeading = "Exit code:%n",
      exitCodeList = {
        "0:the upgrade can be finalized, or has been",
        "1:failure",
        "2:wrong command",
        "3:it cannot be finalized now; the output says why"
      })
  int check(@Mixin Connect connect, @Mixin OutputOption output) {
    return tell(answer(connect.httpAsUser(), false), output.format());
  }

  @Command(
      name = "finalize",
      description = {
        "Raise the cluster to the level of the release that all its nodes run. Nodes of the release"
            + " before cannot join from then on: there is no way back.",
        "Does nothing where that has been done."
      })
  int finalizeIt(
      @Mixin Connect connect, @Mixin Confirmation confirmation, @Mixin OutputOption output) {
    ServerHttp http = connect.httpAsUser();
    JsonNode state = answer(http, false);
    if (!state.path("final").asBoolean()) {
      confirmation.ask("the way back to the release before", "finalize");
      state = answer(http, true);
    }
    return tell(state, output.format());
  }

  private int tell(JsonNode state, OutputFormat format) {
    PrintWriter out = spec.commandLine().getOut();
    String obstacle = state.path("obstacle").asText();
    if (format == OutputFormat.JSON) {
      out.println(Printable.line(state.toString()));
    } else {
      out.println(Printable.line(verdict(state, obstacle)));
      Rows rows = new Rows(out, format, "node", "release", "speaks levels", "state");
      for (JsonNode node : state.path("nodes")) {
        int highest = node.path("highest").asInt();
        rows.add(
            node.path("name").asText(),
            node.path("release").asText(),
            highest == 0 ? null : node.path("lowest").asInt() + " to " + highest,
            node.path("member").asBoolean() ? "member" : "joins");
      }
      rows.end();
    }
    return obstacle.isEmpty() ? 0 : NOT_NOW;
  }

  private static String verdict(JsonNode state, String obstacle) {
    String level = "The cluster is at level " + state.path("level").asInt();
    if (state.path("final").asBoolean()) {
      return level + ", that of all its nodes: nothing is to be finalized.";
    }
    if (state.path("joined").asInt() != state.path("level").asInt()) {
      level += ", and an upgrade is being finalized, or that was interrupted";
    }
    return obstacle.isEmpty()
        ? level + ". All nodes speak the next one: canopy upgrade finalize."
        : level + ". The upgrade cannot be finalized now: " + obstacle + ".";
  }

  /** The answer of the first server that gives one. */
  private static JsonNode answer(ServerHttp http, boolean finalizes) {
    String why = "";
    for (String server : http.servers()) {
      try {
        return tree(finalizes ? http.post(server, PATH) : http.get(server, PATH));
      } catch (IOException e) {
        why = server + ": " + e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted while a server is asked", e);
      }
    }
    throw new CanopyException(ErrorCode.NOT_CONNECTED, "no server answers; " + why);
  }

  private static JsonNode tree(HttpResponse<String> answer) throws JsonProcessingException {
    JsonNode body = JSON.readTree(answer.body());
    if (answer.statusCode() == OK) {
      return body;
    }
    ErrorCode code = ErrorCode.find(body.path("code").asText()).orElse(ErrorCode.PROTOCOL_ERROR);
    String detail = body.path("detail").asText();
    throw new CanopyException(
        code, detail.isEmpty() ? "the server answers HTTP " + answer.statusCode() : detail);
  }
}
