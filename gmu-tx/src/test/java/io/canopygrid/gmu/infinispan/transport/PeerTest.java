package io.canopygrid.gmu.infinispan.transport;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

class PeerTest {
  private static final int KIB = 1024;

  private final Peer peer = new Peer(UUID.randomUUID());

  @Test
  void whoWasNeverHeardHasRoomForNothing() {
    assertFalse(peer.hasRoomFor(1));
  }

  @Test
  void whoIsSilentHasRoomForSixtyFourKibibytes() {
    peer.heard();
    assertTrue(peer.hasRoomFor(40 * KIB));
    assertTrue(peer.hasRoomFor(20 * KIB));
    assertFalse(peer.hasRoomFor(4 * KIB));
    assertFalse(peer.hasRoomFor(1));
  }

  @Test
  void whoIsHeardAgainHasRoomAgain() {
    peer.heard();
    assertFalse(peer.hasRoomFor(100 * KIB));
    peer.heard();
    assertTrue(peer.hasRoomFor(60 * KIB));
  }

  @Test
  void whoIsSilentForEverStaysFull() {
    peer.heard();
    for (long sent = 0; sent < 1L << 34; sent += 1 << 20) {
      peer.hasRoomFor(1 << 20);
    }
    assertFalse(peer.hasRoomFor(1));
  }
}
