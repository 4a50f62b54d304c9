package io.canopygrid.gmu.infinispan.transport;

import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Address;

/**
 * Another member, and how many bytes were sent to it since something came from it. A member that
 * has not answered bytes has perhaps not read them. While they are few, the sockets between have
 * room for more, and a thread that sends does not wait. Thread-safe.
 */
final class Peer {
  /** Less than what two sockets hold: 200 KiB and more as systems have it by default. */
  private static final int UNANSWERED_MAX_BYTES = 64 << 10;

  private final Address address;

  /** At its maximum before anything was heard: there is perhaps no connection. */
  private final AtomicInteger unanswered = new AtomicInteger(UNANSWERED_MAX_BYTES);

  Peer(Address address) {
    this.address = address;
  }

  Address address() {
    return address;
  }

  /**
   * Counts bytes that are about to be sent. True: the sockets have room for them, as far as known.
   */
  boolean hasRoomFor(int bytes) {
    return unanswered.get() < UNANSWERED_MAX_BYTES
        && unanswered.addAndGet(bytes) < UNANSWERED_MAX_BYTES;
  }

  /** Something came from it. */
  void heard() {
    if (unanswered.get() != 0) {
      unanswered.set(0);
    }
  }
}
