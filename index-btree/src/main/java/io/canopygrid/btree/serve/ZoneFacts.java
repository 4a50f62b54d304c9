package io.canopygrid.btree.serve;

import java.util.Map;

/**
 * The zones of a grid's nodes.
 *
 * @param problem that two copies of a shard are in one zone, and why, in words; empty: none are, or
 *     no node says where it is
 * @param zones by node, of those members that say where they are
 */
public record ZoneFacts(String problem, Map<String, String> zones) {
  /** Copies the map. */
  public ZoneFacts {
    zones = Map.copyOf(zones);
  }
}
