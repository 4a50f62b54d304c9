package io.canopygrid.gmu.infinispan.transport;

/**
 * The messages of one host to another. Their first byte tells them from the protocol's, as it is no
 * protocol version; the second byte is the kind.
 */
public final class HostMessages {
  /** The first byte. */
  public static final byte MARK = 0;

  private HostMessages() {}

  static boolean isOne(byte[] bytes, int offset, int length) {
    return length > 0 && bytes[offset] == MARK;
  }
}
