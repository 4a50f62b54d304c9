package io.canopygrid.server.endpoint.netty;

import io.canopygrid.recovery.LostDisks;
import org.jspecify.annotations.Nullable;

/** A node that waits to be a member, as its port for clients knows it. Thread-safe. */
@FunctionalInterface
public interface WaitingNode {
  /** Why the node is not a member yet, in words. */
  String why();

  /** Takes the word that disks are lost; null: the node does not wait for disks. */
  default @Nullable LostDisks disks() {
    return null;
  }

  /** Whether only this machine's own users may say that disks are lost. */
  default boolean isGuarded() {
    return true;
  }
}
