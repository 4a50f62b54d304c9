package io.canopygrid.roundtrip;

import io.canopygrid.roundtrip.jgroups.CanopyStack;
import io.canopygrid.roundtrip.jgroups.ShippedStack;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.LocalCluster;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The JVM that asks, and the process of its {@link Partner}. The partner ends with this JVM,
 * whatever ends it. Confined to a thread.
 */
final class RoundTrips implements AutoCloseable {
  private static final String MAIN = "io.canopygrid.server.cli.Main";
  private static final Duration START_MAX = Duration.ofMinutes(2);

  private final OpenResources opened = new OpenResources();
  private final ServerProcess partner;
  private final Narrator narrator;
  private final RoundTripMeasurement measurement;

  /**
   * Starts both ends and loads the index.
   *
   * @param heap of the partner, as in {@code -Xmx}
   * @param keys of the index
   * @throws IOException if they do not start
   */
  RoundTrips(String heap, int keys, Narrator narrator) throws IOException, InterruptedException {
    this.narrator = narrator;
    List<Ports> ports = Ports.pickForTwo();
    Ports theirs = ports.get(0);
    Ports own = ports.get(1);
    partner = opened.add(ServerProcess.start("partner", command(theirs, heap), narrator));
    boolean complete = false;
    try {
      partner.awaitReady(START_MAX);
      GridNode grid = opened.add(new GridNode(List.of(theirs.node(), own.node())));
      narrator.say("Loading " + keys + " keys, and waiting for the last split");
      GridAskers lookUps = new GridAskers(grid, keys);
      MessageSizes sizes = lookUps.sizes();
      measurement =
          new RoundTripMeasurement(
              askers(theirs, own, lookUps, sizes),
              sizes,
              () -> LocalCluster.ownCpuSeconds() + partner.cpuSeconds(),
              () -> grid.node().counters().remoteRequests());
      complete = true;
    } catch (TimeoutException e) {
      throw new IOException("the other node does not answer", e);
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  private static List<String> command(Ports ports, String heap) {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC"));
    command.addAll(List.of("-cp", JavaCommand.classPath(), MAIN));
    command.addAll(List.of("bench", "roundtrip", "partner", "--ports", ports.toString()));
    return command;
  }

  private Map<NetworkLayer, Asker> askers(
      Ports theirs, Ports own, GridAskers lookUps, MessageSizes sizes) throws IOException {
    SocketAsker socket = opened.add(new SocketAsker(theirs.socket(), sizes));
    ShippedStack shipped =
        opened.add(
            new ShippedStack(
                List.of(theirs.shippedStack(), own.shippedStack()), MessageSizes::answerTo));
    CanopyStack canopys =
        opened.add(
            new CanopyStack(
                List.of(theirs.canopyStack(), own.canopyStack()), MessageSizes::answerTo));
    byte[] question = sizes.newQuestion();
    Map<NetworkLayer, Asker> askers = new EnumMap<>(NetworkLayer.class);
    askers.put(NetworkLayer.SOCKET, socket);
    askers.put(NetworkLayer.JGROUPS, () -> sizes.check(shipped.ask(question)));
    askers.put(NetworkLayer.STACK, () -> sizes.check(canopys.request(question)));
    askers.put(NetworkLayer.MESSAGES, () -> sizes.check(canopys.message(question)));
    askers.put(NetworkLayer.EXCHANGE, () -> sizes.check(canopys.exchange(question)));
    askers.put(NetworkLayer.CALL, lookUps.call(sizes));
    askers.put(NetworkLayer.READ, lookUps::read);
    askers.put(NetworkLayer.LOOKUP, lookUps::lookUp);
    return askers;
  }

  /**
   * Warms all layers up, then measures them in turn.
   *
   * @param seconds of each layer in each round
   * @param results gets each result as soon as there is one
   * @throws Exception where a question had no answer, or a wrong one
   */
  void run(int rounds, double warmupSeconds, double seconds, Consumer<Result> results)
      throws Exception {
    for (NetworkLayer layer : NetworkLayer.values()) {
      narrator.say("Warming up " + layer);
      measurement.measure(layer, 0, warmupSeconds);
    }
    for (int round = 1; round <= rounds; round++) {
      for (NetworkLayer layer : NetworkLayer.values()) {
        results.accept(measurement.measure(layer, round, seconds));
      }
      narrator.say("Round " + round + " of " + rounds);
    }
  }

  @Override
  public void close() {
    partner.hush(); // it would tell that entries are lost with their only copy
    opened.close();
  }
}
