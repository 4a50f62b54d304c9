package io.canopygrid.roundtrip;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The layers that a question and its answer go through: a kind of question, with all that it stands
 * on.
 */
enum NetworkLayer {
  /** A blocking TCP socket that sends at once. */
  SOCKET(null),

  /** JGroups' request and response on the stack that it ships for TCP. */
  JGROUPS(SOCKET),

  /** JGroups' request and response on Canopy's stack. */
  STACK(SOCKET),

  /** A message each way on Canopy's stack. */
  MESSAGES(SOCKET),

  /** A question on a connection that is read by who has asked, beside that stack. */
  EXCHANGE(SOCKET),

  /** A question of one Canopy node to another beside the protocol ({@code NodeCalls}). */
  CALL(MESSAGES),

  /** Begin, a read of one key at its owner, end: a transaction without an index. */
  READ(EXCHANGE),

  /** The same through an index. */
  LOOKUP(READ);

  private final @Nullable NetworkLayer below;

  NetworkLayer(@Nullable NetworkLayer below) {
    this.below = below;
  }

  /** The layer that it stands on; null: none. */
  @Nullable NetworkLayer below() {
    return below;
  }

  /** Whether another one is this layer, or below it. */
  boolean contains(NetworkLayer other) {
    return this == other || (below != null && below.contains(other));
  }

  /** Whether each question is one that the node counts as a remote request. */
  boolean isCounted() {
    return this == READ || this == LOOKUP;
  }

  /** As it is printed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
