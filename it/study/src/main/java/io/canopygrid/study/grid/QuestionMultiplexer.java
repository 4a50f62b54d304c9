package io.canopygrid.study.grid;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.ForwardingNode;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.NodeCalls;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Several askers on the questions of one node: the first byte of a question says whose it is.
 * Counts what is asked. Thread-safe.
 */
final class QuestionMultiplexer implements NodeCalls.Server {
  private final GmuNode node;
  private final AtomicReferenceArray<NodeCalls.Server> servers;
  private final LongAdder asked = new LongAdder();

  QuestionMultiplexer(GmuNode node, int channels) {
    this.node = node;
    this.servers = new AtomicReferenceArray<>(channels);
    node.calls().serve(this);
  }

  /** The number of questions that this node has asked others, on channels that count. */
  long asked() {
    return asked.sum();
  }

  /** The node as one asker sees it. */
  GmuNode face(int channel, boolean counts) {
    return new ForwardingNode() {
      @Override
      protected GmuNode node() {
        return node;
      }

      @Override
      public NodeCalls calls() {
        return new Channel(channel, counts);
      }
    };
  }

  @Override
  public void asked(byte[] question, Consumer<byte[]> answer) {
    NodeCalls.Server server = question.length == 0 ? null : servers.get(question[0]);
    if (server == null) {
      throw new IllegalStateException("no server of calls at " + node.self());
    }
    server.asked(Arrays.copyOfRange(question, 1, question.length), answer);
  }

  private final class Channel implements NodeCalls {
    private final int channel;
    private final boolean counts;

    Channel(int channel, boolean counts) {
      this.channel = channel;
      this.counts = counts;
    }

    @Override
    public CompletableFuture<byte[]> ask(NodeId to, byte[] question) {
      if (counts) {
        asked.increment();
      }
      byte[] marked = new byte[question.length + 1];
      marked[0] = (byte) channel;
      System.arraycopy(question, 0, marked, 1, question.length);
      return node.calls().ask(to, marked);
    }

    @Override
    public void serve(Server server) {
      servers.set(channel, server);
    }
  }
}
