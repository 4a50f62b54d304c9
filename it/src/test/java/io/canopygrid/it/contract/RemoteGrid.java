package io.canopygrid.it.contract;

import io.canopygrid.Canopy;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.it.cluster.Cluster;
import io.canopygrid.ycsb.cluster.LocalCluster;
import io.canopygrid.ycsb.terminal.Narrator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Three servers, each a process, and clients of them; each handle knows another server first. */
final class RemoteGrid extends ContractGrid {
  private static final int SIZE = 3;

  private final LocalCluster cluster;
  private final List<Canopy> clients = new ArrayList<>();

  RemoteGrid() throws IOException, InterruptedException {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    cluster = LocalCluster.startServers(SIZE, "512m", Narrator.on(nowhere));
    for (int i = 0; i < SIZE; i++) {
      clients.add(RemoteCanopy.connect("canopy://" + cluster.address(i)));
    }
  }

  @Override
  Canopy open(int i) {
    return clients.get(i);
  }

  @Override
  Canopy openFresh() {
    return RemoteCanopy.connect(cluster.uri());
  }

  @Override
  void provokeOwnErrors() {
    Refusal.expect(this, ErrorCode.CONFIG_INVALID, () -> RemoteCanopy.connect("vm1:11444"));
    Refusal.expect(
        this,
        ErrorCode.NOT_CONNECTED,
        () -> RemoteCanopy.connect("canopy://127.0.0.1:" + freePort()).close());
    Refusal.expect(
        this,
        ErrorCode.UNKNOWN_INDEX,
        () -> ((RemoteCanopy) clients.get(0)).describe("no-such-index"));
  }

  private static int freePort() {
    try {
      return Cluster.freePorts(1).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  Map<ErrorCode, String> notProvoked() {
    Map<ErrorCode, String> reasons = new EnumMap<>(ErrorCode.class);
    reasons.putAll(NeedsFaults.REASONS);
    reasons.remove(ErrorCode.UNKNOWN_INDEX);
    reasons.put(ErrorCode.PORT_IN_USE, "a client opens no port");
    return reasons;
  }

  @Override
  public void close() {
    clients.forEach(Canopy::close);
    cluster.close();
  }
}
