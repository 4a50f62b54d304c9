package io.canopygrid.it.contract;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Limits;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Three servers, each a process, and clients of them; each handle knows another server first. */
final class RemoteGrid extends ContractGrid {
  private static final int SIZE = 3;

  /** So many values of the largest size are more than a server keeps for one transaction. */
  private static final int VALUES_TOO_MANY = 10;

  /**
   * So many transactions are more than all servers keep open for one client, however its data moves
   * meanwhile.
   */
  private static final int TRANSACTIONS_TOO_MANY =
      SIZE * EndpointLimits.DEFAULTS.transactionsMax() + 1;

  private final LocalCluster cluster;
  private final List<Canopy> clients = new ArrayList<>();

  RemoteGrid() throws IOException, InterruptedException {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    cluster =
        LocalCluster.startServers(
            SIZE,
            "512m",
            List.of("--retention", RETENTION.toSeconds() + "s"),
            Narrator.on(nowhere));
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
    try (Canopy db = openFresh()) {
      Index<Long, byte[]> index = db.index("limits", Codec.int64(), Codec.bytes());
      TransactionOptions patient = TransactionOptions.DEFAULTS.withTimeout(Duration.ofMinutes(2));
      Refusal.expect(
          this, ErrorCode.TRANSACTION_TOO_LARGE, () -> db.run(patient, tx -> fill(tx, index)));
      Refusal.expect(this, ErrorCode.OVERLOADED, () -> openTooMany(db, index));
    }
  }

  private static void fill(Transaction tx, Index<Long, byte[]> index) {
    for (long key = 0; key < VALUES_TOO_MANY; key++) {
      tx.on(index).put(key, new byte[Limits.VALUE_BYTES_MAX]);
    }
  }

  private static void openTooMany(Canopy db, Index<Long, byte[]> index) {
    List<Transaction> open = new ArrayList<>();
    try {
      for (int i = 0; i < TRANSACTIONS_TOO_MANY; i++) {
        Transaction tx = db.begin();
        open.add(tx);
        tx.on(index).get(1L);
      }
    } finally {
      open.forEach(Transaction::close);
    }
  }

  private static int freePort() {
    try {
      return FreePorts.pick(1).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  Map<ErrorCode, String> notProvoked() {
    Map<ErrorCode, String> reasons = new EnumMap<>(ErrorCode.class);
    reasons.putAll(NeedsFaults.REASONS);
    reasons.put(ErrorCode.PORT_IN_USE, "a client opens no port");
    reasons.put(ErrorCode.UNAUTHENTICATED, "these servers let everybody in");
    reasons.put(ErrorCode.FORBIDDEN, "these servers let everybody do everything");
    reasons.put(ErrorCode.FUNCTION_FAILED, "needs a function of the user's own: FunctionsTest");
    reasons.put(ErrorCode.PROTOCOL_ERROR, "needs a server that is none: RoundTripsTest");
    return reasons;
  }

  @Override
  public void close() {
    clients.forEach(Canopy::close);
    cluster.close();
  }
}
