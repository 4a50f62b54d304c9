package io.canopygrid.gmu.node;

import static io.canopygrid.gmu.node.TestNodes.firstOf;
import static io.canopygrid.gmu.node.TestNodes.kclOf;
import static io.canopygrid.gmu.node.TestNodes.key;
import static io.canopygrid.gmu.node.TestNodes.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.protocol.Replacement;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.Transport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A violated invariant halts the node, whichever call finds it. */
@Timeout(60)
final class NodeHaltsTest {
  private static final NodeId OTHER = new NodeId(2);
  private static final ReadQuery QUERY = new ReadQuery.Get(key(0, 1));

  private static final ChangeQuery CHANGES =
      new ChangeQuery(0, VectorClock.ZERO, VectorClock.ZERO, 0, 1, 1, 1);

  private final AtomicReference<Throwable> told = new AtomicReference<>();
  private final CompletableFuture<Throwable> failed = new CompletableFuture<>();

  private final NodeHost host =
      new NodeHost() {
        @Override
        public void failed(Throwable cause) {
          failed.complete(cause);
        }
      };

  /** A clock that is looked at, since no transaction here has had it. */
  private static final VectorClock OF_OLD = VectorClock.ZERO.with(1, 1);

  /** Something that a caller of the node, or its host, does. */
  interface Call {
    void to(HostedNode node) throws Exception;
  }

  private static GmuTransaction begun(HostedNode node) {
    return node.begin(VectorClock.ZERO, System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
  }

  private static TransactionSteps steps(HostedNode node) {
    return ((BlockingTransaction) begun(node)).node;
  }

  static Stream<Arguments> theCalls() {
    Call nearest = node -> steps(node).tryReadNearest(QUERY, VectorClock.ZERO, ShardSet.EMPTY);
    return Stream.of(
        arguments("begin", (Call) NodeHaltsTest::begun),
        arguments("beginAt", (Call) node -> node.beginAt(VectorClock.ZERO, true, Long.MAX_VALUE)),
        arguments("canBeOurs", (Call) node -> node.begin(OF_OLD, Long.MAX_VALUE)),
        arguments("unknown", (Call) node -> node.begin(OF_OLD, Long.MAX_VALUE)),
        arguments("tryRead", (Call) node -> begun(node).read(QUERY)),
        arguments("tryReadNearest", nearest),
        arguments("read", (Call) node -> begun(node).read(new ReadQuery.Get(key(1, 1)))),
        arguments("commit", (Call) node -> begun(node).commit(write(key(0, 1), 1), "")),
        arguments("tryEnd", (Call) node -> begun(node).end()),
        arguments("view", (Call) HostedNode::top),
        arguments("changes", (Call) node -> node.changes(CHANGES, (key, chains) -> true)),
        arguments("size", (Call) node -> node.size(kclOf(0))),
        arguments("status", (Call) HostedNode::isReady),
        arguments("status", (Call) HostedNode::isSettled),
        arguments("status", (Call) HostedNode::close),
        arguments("onMessage", (Call) node -> node.deliver(OTHER, horizonReport())),
        arguments(
            "onTopology",
            (Call) node -> node.install(InProcessNetwork.topology(2, 2, 1, TestNodes.SHARDS))));
  }

  private static Message horizonReport() {
    return new Message.HorizonReport(1, VectorClock.ZERO, VectorClock.ZERO);
  }

  @ParameterizedTest(name = "{0}, {index}")
  @MethodSource("theCalls")
  void aCallThatFindsIt(String planted, Call call) throws Exception {
    HostedNode node = firstOf(2, (to, message) -> {}, host);
    List<Replacement> broken = List.of(Replacement.violating(ProtocolNode.class, planted));
    Replacement.during(
        broken,
        () -> {
          try {
            call.to(node);
          } catch (NodeClosedException e) {
            told.set(e);
          } catch (Exception e) {
            throw new AssertionError("told something else", e);
          }
          return true;
        });
    Replacement.requireCalled(broken);
    assertHalted(node);
    if (told.get() != null) {
      assertThat(told.get()).hasCauseInstanceOf(InvariantViolation.class);
    }
  }

  private void assertHalted(HostedNode node) throws Exception {
    Throwable why = failed.get(20, TimeUnit.SECONDS);
    assertThat(why).isInstanceOf(InvariantViolation.class).hasMessageContaining("planted");
    assertThat(node.failure()).isSameAs(why);
    assertThatThrownBy(() -> begun(node)).isInstanceOf(NodeClosedException.class).hasCause(why);
    assertThat(node.isReady()).isFalse();
    node.close();
  }

  /** The timer's thread says of nothing that goes wrong on it. */
  @Test
  void theTickThatFindsIt() throws Exception {
    HostedNode node = firstOf(2, (to, message) -> {}, host);
    List<Replacement> broken = List.of(Replacement.violating(ProtocolNode.class, "onTick"));
    Replacement.during(broken, failed::join);
    assertHalted(node);
  }

  /** The effects of a step are carried out after it, and the commit may have gone out before. */
  @Test
  void whatAStepAsksFor() throws Exception {
    Transport broken =
        (to, message) -> {
          if (message instanceof Message.Prepare || message instanceof Message.Decide) {
            throw new InvariantViolation("planted");
          }
        };
    HostedNode node = firstOf(2, broken, host);
    assertThat(begun(node).commit(write(key(1, 1), 1), "")).isEqualTo(new Outcome.Unknown());
    assertHalted(node);
  }

  @Test
  void theHostThatHearsOfANewerTopology() throws Exception {
    NodeHost wrong =
        new NodeHost() {
          @Override
          public void ahead(long topology) {
            throw new InvariantViolation("planted");
          }

          @Override
          public void failed(Throwable cause) {
            failed.complete(cause);
          }
        };
    HostedNode node = firstOf(2, (to, message) -> {}, wrong);
    node.deliver(OTHER, new Message.HorizonReport(2, VectorClock.ZERO, VectorClock.ZERO));
    assertHalted(node);
  }

  @Test
  void workOfTheHosts() throws Exception {
    HostedNode node = firstOf(2, (to, message) -> {}, host);
    node.enter(() -> {
      throw new InvariantViolation("planted");
    });
    assertHalted(node);
  }

  @Test
  void workOfTheHostsWithAResult() throws Exception {
    HostedNode node = firstOf(2, (to, message) -> {}, host);
    String result =
        node.enter(
            () -> {
              throw new InvariantViolation("planted");
            },
            () -> "halted");
    assertThat(result).isEqualTo("halted");
    assertHalted(node);
  }

  /** A mistake of the caller's is no state of the node. */
  @Test
  void twoCommitsOfOneTransactionDoNot() {
    CommitWaiters commits = new CommitWaiters();
    commits.open(1);
    assertThatThrownBy(() -> commits.open(1))
        .isInstanceOf(IllegalStateException.class)
        .isNotInstanceOf(InvariantViolation.class);
  }
}
