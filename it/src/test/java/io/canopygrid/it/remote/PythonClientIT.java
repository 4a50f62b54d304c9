package io.canopygrid.it.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Tuple;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client in Python, in {@code client/python}: its own tests, against three servers, one of
 * which is killed under its bank. {@code -Dcanopy.seed} says which.
 */
final class PythonClientIT {
  private static final long SEED = Long.getLong("canopy.seed", 1);
  private static final int SERVERS = 3;
  private static final Path PACKAGE =
      Path.of(System.getProperty("basedir", ""), "..", "client", "python");
  private static final String PYTHON = "python3";
  private static final String NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 10))";

  /** The end of a line of the bank, which goes on until a server has been killed. */
  private static final String READY_TO_KILL = "READY TO KILL";

  private static final String BANK = "tests.contract.test_bank";
  private static final String MAIN = "io.canopygrid.server.cli.Main";
  private static final String HOST = "127.0.0.1:";
  private static final Duration START_MAX = Duration.ofMinutes(4);

  @TempDir private Path directory;

  private final List<ServerProcess> servers = new ArrayList<>();

  private static boolean hasPython() throws InterruptedException {
    try {
      return new ProcessBuilder(PYTHON, "-c", NEW_ENOUGH).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void itsTestsPass() throws Exception {
    assumeTrue(hasPython(), "there is no python3 from 3.10 on");
    int victim = new SplittableRandom(SEED).nextInt(SERVERS);
    startServers();
    List<String> addresses = new ArrayList<>();
    for (ServerProcess server : servers) {
      addresses.add(server.awaitReady(START_MAX));
    }
    String all = String.join(",", addresses);
    String token = writeForPython("canopy://" + all);

    Process tests = start(all, token, List.of("discover", "-s", "tests", "-t", "."));
    tests.inputReader(UTF_8).lines().forEach(System.out::println);
    assertThat(tests.waitFor()).as("the tests of the client in Python").isZero();

    Process bank = start(all, token, List.of(BANK));
    assertThat(killWhenReady(bank, servers.get(victim))).as("the bank was ready").isTrue();
    assertThat(bank.waitFor()).as("the bank, server %d killed, seed %d", victim, SEED).isZero();
  }

  @AfterEach
  void stopServers() {
    servers.forEach(ServerProcess::stop);
    servers.forEach(ServerProcess::close);
  }

  /** Starts them together, which takes as long as one. */
  private void startServers() throws IOException {
    List<Integer> ports = FreePorts.pick(SERVERS);
    String members = ports.stream().map(port -> HOST + port).collect(Collectors.joining(","));
    for (int port : ports) {
      List<String> command = JavaCommand.ofThisJvm();
      command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
      command.addAll(List.of("-cp", JavaCommand.classPath(), MAIN, "server"));
      command.addAll(List.of("--attached", "--abandon", "--name", "python", "--shards", "32"));
      command.addAll(List.of("--port", Integer.toString(port), "--client-port", "0"));
      command.addAll(List.of("--join-timeout", "2min"));
      command.addAll(List.of("--join", members));
      servers.add(ServerProcess.start("server " + port, command, Narrator.onStandardError()));
    }
  }

  /** Writes the entries that a test in Python reads; the token with which it must see them. */
  private static String writeForPython(String uri) {
    try (Canopy db = RemoteCanopy.connect(uri)) {
      return written(db);
    }
  }

  private static String written(Canopy db) {
    Codec<Tuple> keys = Codec.tuple(Codec.string(), Codec.descending(Codec.instant()));
    Index<Tuple, BigDecimal> index = db.index("of-java", keys, Codec.decimal());
    db.run(tx -> {
      tx.on(index).put(Tuple.of("a", Instant.ofEpochSecond(1)), new BigDecimal("-3"));
      tx.on(index).put(Tuple.of("a", Instant.ofEpochSecond(2, 5)), new BigDecimal("1.50"));
      tx.on(index).put(Tuple.of("b", Instant.EPOCH), new BigDecimal("1E+2"));
    });
    return db.token().toString();
  }

  private Process start(String addresses, String token, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(PYTHON, "-m", "unittest"));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(PACKAGE.toFile()).redirectErrorStream(true);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("CANOPY_SERVERS", addresses);
    builder.environment().put("CANOPY_TOKEN", token);
    if (arguments.contains(BANK)) {
      builder.environment().put("CANOPY_KILLED", killed().toString());
    }
    return builder.start();
  }

  private Path killed() {
    return directory.resolve("killed");
  }

  /** Kills a server when the bank asks for it, and says so; whether it has asked. */
  private boolean killWhenReady(Process bank, ServerProcess victim) throws IOException {
    boolean ready = false;
    try (BufferedReader lines = bank.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(line);
        if (line.endsWith(READY_TO_KILL)) {
          victim.kill();
          Files.createFile(killed());
          ready = true;
        }
      }
    }
    return ready;
  }
}
