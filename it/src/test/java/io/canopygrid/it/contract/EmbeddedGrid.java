package io.canopygrid.it.contract;

import io.canopygrid.Canopy;
import io.canopygrid.ClusterConfig;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionTransaction;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.config.ClusterConfigFile;
import io.canopygrid.ycsb.cluster.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Three embedded nodes that form a cluster over loopback; a fresh handle is a node by itself. */
final class EmbeddedGrid extends ContractGrid {
  private static final int SIZE = 3;

  /** The most that there is: nobody else needs the network. */
  private static final int STATE_BYTES_PER_SECOND = 1 << 30;

  private final List<EmbeddedCanopy> nodes = new ArrayList<>();

  EmbeddedGrid() throws IOException {
    List<Integer> ports = FreePorts.pick(SIZE);
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    for (int port : ports) {
      nodes.add(
          EmbeddedCanopy.join(
              ClusterConfig.of("contract-" + ports.get(0))
                  .port(port)
                  .members(members)
                  .retention(RETENTION)
                  // All that the suite has written is kept, and is handed over at the end.
                  .stateBytesPerSecond(STATE_BYTES_PER_SECOND)
                  .leaveTimeout(Duration.ofMinutes(2))));
    }
  }

  @Override
  Canopy open(int i) {
    return nodes.get(i);
  }

  @Override
  Canopy openFresh() {
    return EmbeddedCanopy.start();
  }

  @Override
  void provokeOwnErrors() {
    nodes.get(0).register("fails", EmbeddedGrid::fail);
    Refusal.expect(
        this, ErrorCode.FUNCTION_FAILED, () -> nodes.get(0).execute("fails", new byte[0]));
    Refusal.expect(
        this,
        ErrorCode.CONFIG_INVALID,
        () -> ClusterConfigFile.parse("shop.json", "{\"cluster\": {\"prot\": 7800}}"));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Refusal.expect(
          this,
          ErrorCode.PORT_IN_USE,
          () -> EmbeddedCanopy.join(ClusterConfig.of("taken").port(taken.getLocalPort())).close());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] fail(FunctionTransaction tx, byte[] arguments) throws IOException {
    throw new IOException("as it should");
  }

  @Override
  Map<ErrorCode, String> notProvoked() {
    Map<ErrorCode, String> reasons = new EnumMap<>(ErrorCode.class);
    reasons.putAll(NeedsFaults.REASONS);
    reasons.put(ErrorCode.NOT_CONNECTED, "an embedded node is a part of the cluster");
    reasons.put(ErrorCode.UNAUTHENTICATED, "an embedded caller needs no user");
    reasons.put(ErrorCode.FORBIDDEN, "an embedded caller may do everything");
    reasons.put(ErrorCode.TRANSACTION_TOO_LARGE, "a limit of servers");
    reasons.put(ErrorCode.OVERLOADED, "a limit of servers");
    reasons.put(ErrorCode.PROTOCOL_ERROR, "there is no protocol with an embedded node");
    return reasons;
  }

  @Override
  public void close() {
    nodes.forEach(EmbeddedCanopy::close);
  }
}
