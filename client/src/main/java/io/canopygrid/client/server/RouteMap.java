package io.canopygrid.client.server;

import io.canopygrid.wire.client.Reply;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers and shards of the keys of one index, as a server told them. Immutable. */
public final class RouteMap {
  static final RouteMap NONE = new RouteMap(0, List.of(), List.of());

  private final long version;
  private final List<String> addresses;
  private final List<Reply.Route> routes;

  private RouteMap(long version, List<String> addresses, List<Reply.Route> routes) {
    this.version = version;
    this.addresses = addresses;
    this.routes = routes;
  }

  /** This map, or the one that a server answered with because this one is not right any more. */
  RouteMap updated(Reply.Routes answer) {
    return answer.version() == version || answer.routes().isEmpty()
        ? this
        : new RouteMap(answer.version(), answer.addresses(), answer.routes());
  }

  /** 0 where nothing is known. */
  long version() {
    return version;
  }

  /** The address of the server that has a key; empty where that is not known. */
  public String addressOf(byte[] key) {
    Reply.Route route = routeOf(key);
    return route == null ? "" : addresses.get(route.address());
  }

  /** The shard of a key; 0 where that is not known. */
  public int shardOf(byte[] key) {
    Reply.Route route = routeOf(key);
    return route == null ? 0 : route.shard();
  }

  private Reply.@Nullable Route routeOf(byte[] key) {
    int low = 0;
    int high = routes.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(routes.get(middle).from(), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? null : routes.get(low - 1);
  }
}
