package io.canopygrid.client.netty;

/** Takes what comes on one stream, on the thread that reads the connection: it must not block. */
interface Answers {
  /** An answer; whether it was the last one of the stream. */
  boolean answered(Answer answer);

  /** The connection ended before the last answer; called at most once. */
  void lost(LostConnectionException why);
}
