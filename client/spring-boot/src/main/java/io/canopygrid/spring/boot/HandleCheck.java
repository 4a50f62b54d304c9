package io.canopygrid.spring.boot;

import io.canopygrid.Canopy;
import io.canopygrid.GridInfo;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.util.ClassUtils;

/** Asks whether the data can be used now, the same for all that show it. */
final class HandleCheck {
  private static final boolean HAS_NODES =
      ClassUtils.isPresent(
          "io.canopygrid.btree.embedded.EmbeddedCanopy", HandleCheck.class.getClassLoader());

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private HandleCheck() {}

  /**
   * Returns what is to be shown if it can be used: a node has an answer of the shard that all
   * transactions need, a client one of a server.
   *
   * @throws RuntimeException why it cannot be used
   */
  static Map<String, Object> check(Canopy canopy) {
    Map<String, Object> details = new LinkedHashMap<>();
    GridInfo grid = canopy.grid();
    details.put("grid", grid.id().toString());
    details.put("founded", grid.founded().toString());
    if (HAS_NODES && EmbeddedNode.is(canopy)) {
      Optional<Throwable> failure = EmbeddedNode.failure(canopy);
      if (failure.isPresent()) {
        throw new IllegalStateException("the node has stopped", failure.get());
      }
      EmbeddedNode.probe(canopy, PATIENCE);
      details.put("members", EmbeddedNode.members(canopy));
    } else {
      details.put("indexes", canopy.indexes().size());
    }
    return details;
  }
}
