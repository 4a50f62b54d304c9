package io.canopygrid.it.feeds;

import static org.awaitility.Awaitility.await;

import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Three servers with disks and a retention, which keep their addresses when started again. */
final class FeedServers implements AutoCloseable {
  static final int COUNT = 3;
  static final int SHARDS = 32;
  private static final Duration START_MAX = Duration.ofMinutes(2);

  private final Path disks;
  private final List<Integer> ports = FreePorts.pick(COUNT);
  private final List<Integer> clientPorts = FreePorts.pick(COUNT);
  private final List<ServerProcess> servers = new ArrayList<>();

  /** Starts all of them, without waiting for them. */
  FeedServers(Path disks) throws IOException {
    this.disks = disks;
    for (int place = 0; place < COUNT; place++) {
      servers.add(process(place));
    }
  }

  /** Waits until clients can use all. */
  void awaitReady() throws IOException, InterruptedException {
    for (ServerProcess server : servers) {
      server.awaitReady(START_MAX);
    }
  }

  private static String address(int port) {
    return "127.0.0.1:" + port;
  }

  /** All addresses for clients. */
  List<String> addresses() {
    return clientPorts.stream().map(FeedServers::address).toList();
  }

  private ServerProcess process(int place) throws IOException {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", JavaCommand.classPath()));
    command.addAll(List.of("io.canopygrid.server.cli.Main", "server", "--attached"));
    command.addAll(List.of("--name", "followed", "--node-name", "vm" + place));
    command.addAll(List.of("--port", ports.get(place).toString()));
    command.addAll(List.of("--client-port", clientPorts.get(place).toString()));
    command.addAll(
        List.of("--join", String.join(",", ports.stream().map(FeedServers::address).toList())));
    command.addAll(List.of("--shards", Integer.toString(SHARDS), "--retention", "5min"));
    command.addAll(List.of("--join-timeout", "2min"));
    command.addAll(List.of("--data-directory", disks.resolve("vm" + place).toString()));
    return ServerProcess.start("vm" + place, command, Narrator.onStandardError());
  }

  /** Sends SIGKILL, and waits for the end. */
  void kill(List<Integer> places) {
    places.forEach(place -> servers.get(place).kill());
    for (int place : places) {
      await().until(() -> !servers.get(place).isAlive());
    }
  }

  /** Starts servers again with their disks, without waiting for them. */
  void start(List<Integer> places) throws IOException {
    for (int place : places) {
      servers.set(place, process(place));
    }
  }

  @Override
  public void close() {
    servers.forEach(ServerProcess::kill);
    servers.forEach(server -> await().until(() -> !server.isAlive()));
  }
}
