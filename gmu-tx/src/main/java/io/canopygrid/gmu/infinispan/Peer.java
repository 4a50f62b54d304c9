package io.canopygrid.gmu.infinispan;

import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Address;

/**
 * Another member, and how much was sent to it since it was last heard. What a member has not
 * answered it has perhaps not read; as long as that is little, the sockets between have room for
 * more, and a thread that sends does not wait. Thread-safe.
 */
final class Peer {
  /** Less than what two sockets hold: 200 KiB and more as systems have it by default. */
  private static final int UNANSWERED_MAX_BYTES = 64 << 10;

  private final Address address;

  /** Nothing was heard yet: there is perhaps no connection. */
  private final AtomicInteger unanswered = new AtomicInteger(UNANSWERED_MAX_BYTES);

  Peer(Address address) {
    this.address = address;
  }

  Address address() {
    return address;
  }

  /** Counts what is about to be sent; whether the sockets have room for it, as far as one knows. */
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
