package io.canopygrid.gmu.infinispan.exchange;

import java.nio.ByteBuffer;
import org.jgroups.Address;

/**
 * The JGroups channel beside the connections of a grid: messages go in here, and leave here where
 * no connection is free. Thread-safe.
 */
public interface ExchangeChannel {
  /** Takes in a message; the array is the caller's again afterwards. Does not block. */
  void received(Address from, byte[] bytes, int offset, int length);

  /** Sends a message through the channel. Does not block. */
  void send(Address to, ByteBuffer message);
}
