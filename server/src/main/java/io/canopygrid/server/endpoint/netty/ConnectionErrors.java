package io.canopygrid.server.endpoint.netty;

import io.netty.handler.codec.DecoderException;

/** The errors of connections as clients and the log are told of them. */
final class ConnectionErrors {
  private ConnectionErrors() {}

  /** The error that a decoder met, without Netty's wrapping. */
  static Throwable rootOf(Throwable e) {
    return e instanceof DecoderException && e.getCause() != null ? e.getCause() : e;
  }

  /** The text without control characters, which could break a line of the log or a message. */
  static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
