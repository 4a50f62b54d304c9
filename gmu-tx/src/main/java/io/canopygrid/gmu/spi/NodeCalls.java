package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.NodeId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Questions of the layer above from one member to another, beside the protocol's own messages.
 *
 * <p><b>Order:</b> questions and answers may overtake each other. <b>Delivery:</b> a question is
 * heard once or not at all. <b>Threads:</b> all methods may be called from any thread. <b>Errors:
 * </b> {@link LostCallException} says that no answer will come; whether the question was heard is
 * then not known.
 */
public interface NodeCalls {
  /**
   * Calls of a node that has no other node to ask: every question ends in {@link
   * LostCallException}.
   */
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
   * @param question the transport's own from now on
   * @return the answer; fails with {@link LostCallException} where the member is not there, has
   *     left before its answer came, or does not answer questions. The caller has to bound the wait
   */
  CompletableFuture<byte[]> ask(NodeId to, byte[] question);

  /** Names the server that answers the questions of others from now on, instead of the last. */
  void serve(Server server);

  /** Answers questions. */
  interface Server {
    /**
     * Answers a question that has come. Called on a thread of the transport that may be delayed,
     * but has to be given back.
     *
     * @param answer takes the answer, once, on any thread
     */
    void asked(byte[] question, Consumer<byte[]> answer);
  }
}
