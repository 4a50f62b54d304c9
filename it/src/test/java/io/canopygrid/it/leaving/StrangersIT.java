package io.canopygrid.it.leaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.pem.CertificateMaker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers with an identity let in who has it, and nobody else, whoever asks at whichever port. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class StrangersIT {
  private static final int ENTRIES = 1_000;
  private static final int GARBAGE_BYTES = 3_000;
  private static final long SEED = 20_261_127;
  private static final String REFUSED = "CNPY-4003 UNAUTHENTICATED somebody at 127.0.0.1";

  @TempDir private static Path directory;

  private final List<LeavingServer> servers = new ArrayList<>();

  @AfterEach
  void killAll() {
    servers.forEach(LeavingServer::close);
  }

  private LeavingServer start(int port, List<Integer> members, String... options)
      throws IOException {
    LeavingServer server = LeavingServer.start(port, members, options);
    servers.add(server);
    return server;
  }

  private static String identity(String name) {
    Path file = directory.resolve(name + ".pem");
    CertificateMaker.writeForCluster(file, 1);
    return file.toString();
  }

  private static void fill(Canopy db) {
    Index<Long, String> index = index(db);
    db.run(tx -> {
      for (long key = 0; key < ENTRIES; key++) {
        tx.on(index).put(key, "secret " + key);
      }
    });
  }

  private static Index<Long, String> index(Canopy db) {
    return db.index("secrets", Codec.int64(), Codec.string());
  }

  private static long count(LeavingServer at) throws Exception {
    try (Canopy db = RemoteCanopy.connect("canopy://" + at.address())) {
      Index<Long, String> index = index(db);
      return db.<Long, RuntimeException>read(tx -> tx.on(index).count(Range.all()));
    }
  }

  /** Says something to a port; what comes back is at most a word of TLS about it. */
  private static void sayGarbage(int port, byte[] garbage) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(garbage);
      assertThat(socket.getInputStream().readNBytes(100)).hasSizeLessThan(100);
    } catch (ConnectException nobodyListens) {
      assertThat(nobodyListens).hasMessageContaining("refused");
    } catch (SocketException closed) {
      assertThat(closed).isNotNull();
    }
  }

  @Test
  void whoHasNoIdentityOfTheClusterGetsNothing() throws Exception {
    String own = identity("own");
    List<Integer> ports = LeavingServer.ports(5);
    List<Integer> members = ports.subList(0, 3);
    LeavingServer first = start(members.get(0), members, "--cluster-identity", own);
    LeavingServer second = start(members.get(1), members, "--cluster-identity", own);
    try (Canopy db = RemoteCanopy.connect("canopy://" + first.address())) {
      fill(db);
    }
    second.address();

    LeavingServer plain = start(ports.get(3), members, "--join-timeout", "5s");
    // There is time for several probes: a busy machine answers some of them too late.
    LeavingServer foreign =
        start(
            ports.get(4),
            members,
            "--join-timeout",
            "10s",
            "--cluster-identity",
            identity("foreign"));
    byte[] garbage = new byte[GARBAGE_BYTES];
    new Random(SEED).nextBytes(garbage);
    for (int offset : new int[] {0, 100, 200}) {
      sayGarbage(first.port() + offset, garbage);
    }
    assertThat(plain.exitCode(60)).isOne();
    assertThat(foreign.exitCode(60)).isOne();
    assertThat(plain.lines()).noneMatch(line -> line.startsWith("READY "));
    assertThat(foreign.lines())
        .noneMatch(line -> line.startsWith("READY "))
        .anyMatch(line -> line.contains("do not let each other in by TLS"));
    for (LeavingServer server : List.of(first, second)) {
      assertThat(server.lines())
          .as("one line for an address")
          .filteredOn(line -> line.contains(REFUSED))
          .hasSize(1);
      assertThat(server.lines()).noneMatch(line -> line.contains("members: 3"));
    }

    LeavingServer third = start(members.get(2), members, "--cluster-identity", own);
    assertThat(count(third)).isEqualTo(ENTRIES);
    second.kill();
    first.awaitLine("was lost; members: 2");
    assertThat(count(first)).isEqualTo(ENTRIES);
  }
}
