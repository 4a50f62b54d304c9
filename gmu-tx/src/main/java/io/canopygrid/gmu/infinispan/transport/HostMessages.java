package io.canopygrid.gmu.infinispan.transport;

/**
 * What tells the messages of one host to another from the protocol's: their first byte, which is no
 * protocol version. The second byte is the kind.
 */
public final class HostMessages {
  /** The first byte. */
  public static final byte MARK = 0;

  private HostMessages() {}

  static boolean isOne(byte[] bytes, int offset, int length) {
    return length > 0 && bytes[offset] == MARK;
  }
}
