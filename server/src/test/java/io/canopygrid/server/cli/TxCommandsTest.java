package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyXaResource;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.endpoint.TestServer;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Prepared transactions are listed, and decided by hand, at the command line. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TxCommandsTest {
  private TestServer server;
  private EmbeddedCanopy node;
  private Index<Long, String> visits;

  @BeforeEach
  void start() {
    node = EmbeddedCanopy.join(ClusterConfig.of("decided").port(0));
    server = TestServer.of(node, 0);
    visits = node.index("visits", Codec.int64(), Codec.string());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CommandRun canopy(String... words) {
    return CommandRun.at(server.address(), words);
  }

  private void prepare(int number) throws XAException {
    BranchId id = BranchId.of(7, new byte[] {1}, new byte[] {(byte) number});
    CanopyXaResource resource =
        node.xa().resource(TransactionOptions.DEFAULTS.withLabel("transfer"));
    resource.start(id, XAResource.TMNOFLAGS);
    resource.transaction().on(visits).put((long) number, "here");
    resource.end(id, XAResource.TMSUCCESS);
    resource.prepare(id);
  }

  private boolean isThere(long key) {
    return node.<Boolean, RuntimeException>read(tx -> tx.on(visits).containsKey(key));
  }

  @Test
  void whatIsPreparedIsListedAndDecided() throws XAException {
    assertThat(canopy("tx", "list").out()).isEmpty();
    prepare(1);
    prepare(2);
    assertThat(canopy("tx", "list", "-o", "json").out().lines())
        .hasSize(2)
        .first()
        .asString()
        .matches(
            "\\{\"id\":\"7:01:01\",\"state\":\"in doubt\",\"since\":\"20[^\"]*Z\","
                + "\"label\":\"transfer\",\"indexes\":\"visits\",\"writes\":1}");
    assertThat(canopy("tx", "resolve", "7:01:01", "--commit", "--yes"))
        .isEqualTo(new CommandRun(0, "", ""));
    assertThat(canopy("tx", "resolve", "7:01:02", "--rollback", "--yes"))
        .isEqualTo(new CommandRun(0, "", ""));
    assertThat(isThere(1)).isTrue();
    assertThat(isThere(2)).isFalse();
    assertThat(canopy("tx", "list").out()).contains("committed by hand", "rolled back by hand");
  }

  @Test
  void nothingIsDecidedByMistake() throws XAException {
    prepare(1);
    assertThat(canopy("tx", "resolve", "7:01:01", "--commit").exitCode()).isEqualTo(2);
    assertThat(canopy("tx", "resolve", "7:01:01", "--yes").exitCode()).isEqualTo(2);
    assertThat(canopy("tx", "resolve", "nonsense", "--commit", "--yes").exitCode()).isEqualTo(2);
    CommandRun other = canopy("tx", "resolve", "7:01:09", "--commit", "--yes");
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.err()).contains("no transaction 7:01:09 waits for a decision");
    assertThat(isThere(1)).isFalse();
    assertThat(node.xa().prepared()).hasSize(1);
  }
}
