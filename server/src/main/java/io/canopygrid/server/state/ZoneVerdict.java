package io.canopygrid.server.state;

import io.canopygrid.wire.client.Reply;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The zones of a grid's nodes, in words.
 *
 * @param zones by node, of those that say where they are
 * @param problem that copies share a zone, and why; null: none do, or it is not known
 */
public record ZoneVerdict(Map<String, String> zones, @Nullable String problem) {
  /**
   * The zones as a server tells them.
   *
   * @param told empty: the server is of an older release
   */
  public static ZoneVerdict of(Optional<Reply.Zones> told) {
    Map<String, String> zones = new HashMap<>();
    told.ifPresent(all -> all.nodes().forEach(node -> zones.put(node.node(), node.zone())));
    String problem = told.map(Reply.Zones::problem).filter(text -> !text.isEmpty()).orElse(null);
    return new ZoneVerdict(Map.copyOf(zones), problem);
  }

  /** Whether any node says where it is. */
  public boolean isKnown() {
    return !zones.isEmpty();
  }

  /** The zone of a node; null: it is not known. */
  public @Nullable String zone(String node) {
    return zones.get(node);
  }

  /** One sentence where copies share a zone; null: none do. */
  public @Nullable String text() {
    return problem == null ? null : "zones: " + problem;
  }
}
