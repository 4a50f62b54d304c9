package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.wire.client.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the maps by which clients find the server of a key. Thread-safe. */
final class RouteMaps {
  private final ServedNode node;
  private final ClientAddresses addresses;

  RouteMaps(ServedNode node, ClientAddresses addresses) {
    this.node = node;
    this.addresses = addresses;
  }

  /**
   * The map of an index as this node sees it, without routes where the client knows its version.
   */
  Reply.Routes of(IndexRef index, long knownVersion) {
    Map<String, String> byNode = addresses.byNode();
    Map<String, Integer> places = new LinkedHashMap<>();
    List<Reply.Route> routes = new ArrayList<>();
    for (ServedNode.Part part : node.parts(index)) {
      String address = byNode.getOrDefault(part.node(), addresses.own());
      int place = places.computeIfAbsent(address, any -> places.size());
      if (routes.isEmpty() || !isSame(routes.get(routes.size() - 1), place, part.shard())) {
        routes.add(new Reply.Route(part.from(), place, part.shard()));
      }
    }
    List<String> list = List.copyOf(places.keySet());
    long version = version(list, routes);
    return version == knownVersion
        ? new Reply.Routes(version, List.of(), List.of())
        : new Reply.Routes(version, list, routes);
  }

  private static boolean isSame(Reply.Route last, int place, int shard) {
    return last.address() == place && last.shard() == shard;
  }

  private static long version(List<String> addresses, List<Reply.Route> routes) {
    long hash = addresses.hashCode();
    for (Reply.Route route : routes) {
      hash = hash * 0x9E3779B97F4A7C15L + Arrays.hashCode(route.from());
      hash = hash * 0x9E3779B97F4A7C15L + ((long) route.address() << 32) + route.shard();
      hash ^= hash >>> 29;
    }
    return hash == 0 ? 1 : hash;
  }
}
