package io.canopygrid.btree.question;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.spi.NodeCalls;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The questions between nodes, by kind. The first byte of a question is its kind, and the rest is
 * for the server of that kind. Thread-safe.
 */
public final class NodeQuestions implements NodeCalls.Server {
  private final NodeCalls calls;
  private final Map<Byte, NodeCalls.Server> servers = new ConcurrentHashMap<>();

  /** The subject of a question. */
  public enum Kind {
    /** To run a function. */
    FUNCTION(0),
    /** The entries of the node's subtrees, and the use of them. */
    LOADS(1),
    /** The changes of the structure that the node makes. */
    CHANGES(2),
    /** The state of the node by its own account. */
    FACTS(7),
    /** The place of the node's data. A node of an older release does not answer. */
    DATA(8),
    /** The transactions that clients began at the node; the same of an older release. */
    TRANSACTIONS(9),
    /** The levels that the node speaks; the same of an older release. */
    LEVELS(10),
    /**
     * The transactions of clients at the node whose steps were recorded; the same of an older
     * release.
     */
    EXPLAINED(11),
    /** The uses of ranges of keys at the node by time; the same of an older release. */
    HEAT(12),
    /** The changes of an index in the node's shards; the same of an older release. */
    FEED(13),
    /** The past that the node keeps, and what keeps it; the same of an older release. */
    HORIZON(14),
    /** The long jobs of clients at the node's server; the same of an older release. */
    JOBS(15),
    /** The hot entries at the node; the same of an older release. */
    HOT(16),
    /**
     * The transactions of the node's own application whose steps were recorded; the same of an
     * older release.
     */
    OWN_EXPLAINED(17);

    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }
  }

  /** The questions of one node, which answers none before {@link #open}. */
  public NodeQuestions(NodeCalls calls) {
    this.calls = calls;
  }

  /** Lets a server answer the questions of a kind from now on. */
  public void serve(Kind kind, NodeCalls.Server server) {
    servers.put(kind.code, server);
  }

  /** Answers the questions of others from now on. */
  public void open() {
    calls.serve(this);
  }

  /** Asks, as {@link NodeCalls#ask}. */
  public CompletableFuture<byte[]> ask(NodeId to, Kind kind, byte[] question) {
    byte[] framed = new byte[1 + question.length];
    framed[0] = kind.code;
    System.arraycopy(question, 0, framed, 1, question.length);
    return calls.ask(to, framed);
  }

  /** A question of a kind without a server gets no answer: its sender bounds the wait. */
  @Override
  public void asked(byte[] question, Consumer<byte[]> answer) {
    NodeCalls.Server server = question.length == 0 ? null : servers.get(question[0]);
    if (server != null) {
      server.asked(Arrays.copyOfRange(question, 1, question.length), answer);
    }
  }
}
