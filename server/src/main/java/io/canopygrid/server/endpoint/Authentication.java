package io.canopygrid.server.endpoint;

import java.util.List;

/** How clients prove who they are. Thread-safe. */
public interface Authentication {
  /** Nobody has to: everybody may do everything. */
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

  /** The mechanisms of SASL; none: nobody has to. */
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
   * @param user who it is, as far as they have said so
   * @param done whether they have proved it
   * @param access what they may do, once it is done
   */
  record Answer(byte[] data, boolean done, String user, Access access) {}
}
