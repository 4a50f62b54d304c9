package io.canopygrid.gmu.protocol.hot;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import java.util.List;

/**
 * A hot key as its primary knows it.
 *
 * @param keepers the nodes that were told its versions last
 */
public record HotKey(CompositeKey key, ReadRate rate, List<NodeId> keepers) {
  /** Copies the list. */
  public HotKey {
    keepers = List.copyOf(keepers);
  }
}
