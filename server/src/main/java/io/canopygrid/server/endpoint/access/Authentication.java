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

        @Override
        public Access login(String user, char[] password) {
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

  /**
   * The rights of a user who gives their password, as over HTTP; may block.
   *
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#UNAUTHENTICATED}; {@link
   *     io.canopygrid.ErrorCode#OVERLOADED} where too many passwords are being checked
   */
  Access login(String user, char[] password);

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
