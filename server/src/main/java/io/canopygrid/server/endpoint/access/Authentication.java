package io.canopygrid.server.endpoint.access;

import java.util.List;

/** The way in which clients prove who they are. Thread-safe. */
public interface Authentication {
  /** No authentication: every client has all rights. */
  Authentication NONE =
      new Authentication() {
        @Override
        public List<String> mechanisms() {
          return List.of();
        }

        @Override
        public Exchange begin(String mechanism) {
          throw new IllegalStateException("nobody has to say who they are");
        }
      };

  /** The SASL mechanisms that are offered; none: clients do not authenticate. */
  List<String> mechanisms();

  /**
   * Begins an exchange.
   *
   * @param mechanism one of {@link #mechanisms}
   */
  Exchange begin(String mechanism);

  /** One exchange. Confined to one thread at a time; may block. */
  interface Exchange {
    /**
     * Answers a message.
     *
     * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#UNAUTHENTICATED}
     */
    Answer answer(byte[] message);
  }

  /**
   * The answer to a message.
   *
   * @param user the user that the client claims to be
   * @param done whether the client has proved it
   * @param access the user's rights, once it is done
   */
  record Answer(byte[] data, boolean done, String user, Access access) {}
}
