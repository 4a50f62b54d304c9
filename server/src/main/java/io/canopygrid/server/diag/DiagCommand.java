package io.canopygrid.server.diag;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.facts.JvmFacts;
import io.canopygrid.server.release.Release;
import io.canopygrid.server.shell.Connect;
import io.canopygrid.server.shell.ServerHttp;
import io.canopygrid.server.shell.StatusView;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.server.terminal.Printable;
import io.canopygrid.wire.client.Reply;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code canopy diag}: puts what support needs to know of a cluster into a file. */
@Command(
    name = "diag",
    description = {
      "Put what support needs into a zip file that only you can read: releases, the state of the"
          + " cluster, and of each server settings without secrets, metrics, counts, threads, the"
          + " last lines of its log, its JVM and machine. It has no keys and values of indexes.",
      "What cannot be had, as a server is away or the user is no administrator, is left out, and"
          + " the file says why."
    },
    exitCodeListHeading = "Exit code:%n",
    exitCodeList = {
      "0:the file is written, also where something could not be had",
      "1:the file could not be written",
      "2:wrong command"
    },
    footer = {"", "Example: canopy diag -c canopys://vm1,vm2 --user admin --password"})
public final class DiagCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** For picocli. */
  public DiagCommand() {}

  @Mixin private Connect connect = new Connect();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "The file to write (canopy-diag-CLUSTER-TIME.zip, here).")
  private @Nullable Path file;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    ServerHttp http = connect.httpAsUser();
    Bundle bundle = new Bundle(http.secrets());
    bundle.add("version.txt", "canopy " + Release.version() + " on Java " + Runtime.version());
    addOwnFacts(bundle);
    Set<String> servers = new LinkedHashSet<>(http.servers());
    String grid = addStatus(bundle, servers);
    ServerFacts facts = new ServerFacts(http, bundle);
    servers.forEach(facts::add);
    String cluster = facts.cluster().isEmpty() ? grid : facts.cluster();
    Path target = file == null ? Path.of(name(cluster)) : file;
    write(bundle, target);
    tell(bundle, target);
    return 0;
  }

  private static String name(String cluster) {
    return "canopy-diag-" + cluster + "-" + TIME.format(Instant.now()) + ".zip";
  }

  private static void addOwnFacts(Bundle bundle) {
    try {
      bundle.add(
          "this-machine.json",
          JSON.writerWithDefaultPrettyPrinter().writeValueAsString(JvmFacts.all()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds the state and the servers that it names; returns the grid's id. */
  private String addStatus(Bundle bundle, Set<String> servers) {
    try (RemoteCanopy db = connect.open()) {
      for (OutputFormat format : OutputFormat.values()) {
        StringWriter text = new StringWriter();
        StatusView.print(db, new PrintWriter(text), format);
        bundle.add(format == OutputFormat.JSON ? "status.json" : "status.txt", text.toString());
      }
      Reply.Status status = db.status();
      servers.clear();
      status.nodes().stream()
          .map(Reply.NodeStatus::clientAddress)
          .filter(address -> !address.isEmpty())
          .forEach(servers::add);
      return db.grid().id().toString();
    } catch (CanopyException e) {
      bundle.lacks("status.txt, status.json", String.valueOf(e.getMessage()));
      return "unknown";
    }
  }

  private static void write(Bundle bundle, Path target) {
    try {
      bundle.write(target);
    } catch (FileAlreadyExistsException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "there is a file " + target + " already", e);
    } catch (IOException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "the file " + target + " cannot be written: " + e, e);
    }
  }

  private void tell(Bundle bundle, Path target) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(target + " has");
    bundle.names().forEach(name -> out.println("  " + Printable.line(name)));
    if (!bundle.missing().isEmpty()) {
      out.println("and has not");
      bundle.missing().forEach(line -> out.println("  " + Printable.line(line)));
    }
    out.println(
        "It has no keys and values of indexes, and no passwords, keys or certificates; it does have"
            + " names of indexes, users and machines, labels of transactions, addresses, paths, and"
            + " lines of logs.");
    out.flush();
  }
}
