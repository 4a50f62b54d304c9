package io.canopygrid.btree.embedded;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.spi.NodeCalls;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The questions between nodes, by kind: the first byte of each. Thread-safe. */
final class NodeQuestions implements NodeCalls.Server {
  private final NodeCalls calls;
  private final Map<Byte, NodeCalls.Server> servers = new ConcurrentHashMap<>();

  /** What is asked. */
  enum Kind {
    /** To run a function. */
    FUNCTION(0),
    /** What the node's subtrees have and are used for. */
    LOADS(1),
    /** Which changes of the structure the node makes. */
    CHANGES(2);

    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }
  }

  NodeQuestions(NodeCalls calls) {
    this.calls = calls;
  }

  /** Who answers questions of a kind from now on. */
  void serve(Kind kind, NodeCalls.Server server) {
    servers.put(kind.code, server);
  }

  /** Answers the questions of others from now on. */
  void open() {
    calls.serve(this);
  }

  /** Asks, as {@link NodeCalls#ask}. */
  CompletableFuture<byte[]> ask(NodeId to, Kind kind, byte[] question) {
    byte[] framed = new byte[1 + question.length];
    framed[0] = kind.code;
    System.arraycopy(question, 0, framed, 1, question.length);
    return calls.ask(to, framed);
  }

  /** What nobody here answers is not answered: it is for who asks to bound the wait. */
  @Override
  public void asked(byte[] question, Consumer<byte[]> answer) {
    NodeCalls.Server server = question.length == 0 ? null : servers.get(question[0]);
    if (server != null) {
      server.asked(Arrays.copyOfRange(question, 1, question.length), answer);
    }
  }
}
