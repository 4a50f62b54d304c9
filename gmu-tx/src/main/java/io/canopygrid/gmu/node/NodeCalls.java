package io.canopygrid.gmu.node;

import io.canopygrid.gmu.NodeId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Questions of the layer above from one member to another, beside the protocol's own messages.
 * Thread-safe.
 */
public interface NodeCalls {
  /** Where nobody can be asked: every question ends in {@link LostCallException}. */
  NodeCalls NONE =
      new NodeCalls() {
        @Override
        public CompletableFuture<byte[]> ask(NodeId to, byte[] question) {
          return CompletableFuture.failedFuture(new LostCallException(to + " cannot be asked"));
        }

        @Override
        public void serve(Server server) {}
      };

  /**
   * Asks a member. Does not block.
   *
   * @return its answer; fails with {@link LostCallException} where it is not there, has left before
   *     its answer came, or does not answer questions. It is for the caller to bound the wait
   */
  CompletableFuture<byte[]> ask(NodeId to, byte[] question);

  /** Who answers the questions of others from now on. */
  void serve(Server server);

  /** Answers questions. */
  interface Server {
    /**
     * A question has come.
     *
     * @param answer takes the answer, once, on any thread
     */
    void asked(byte[] question, Consumer<byte[]> answer);
  }
}
