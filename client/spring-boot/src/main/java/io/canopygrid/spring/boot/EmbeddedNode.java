package io.canopygrid.spring.boot;

import io.canopygrid.Canopy;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node in this application. The only class here that needs {@code canopy-index-btree}; to be used
 * where that is on the class path.
 */
final class EmbeddedNode {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedNode.class);

  private EmbeddedNode() {}

  static Canopy join(CanopyProperties properties) {
    return EmbeddedCanopy.join(
        EmbeddedSettings.of(properties),
        why -> {
          if (!why.isEmpty()) {
            LOG.info("{}", why);
          }
        });
  }

  static Canopy alone() {
    return EmbeddedCanopy.start();
  }

  static boolean is(Canopy canopy) {
    return canopy instanceof EmbeddedCanopy;
  }

  /** Why the node has stopped for good. */
  static Optional<Throwable> failure(Canopy canopy) {
    return ((EmbeddedCanopy) canopy).failure();
  }

  /** The number of members that the node reaches, itself included. */
  static int members(Canopy canopy) {
    return ((EmbeddedCanopy) canopy).members();
  }

  /** Returns once the shard that all transactions need has answered. */
  static void probe(Canopy canopy, Duration timeout) {
    EmbeddedCanopy node = (EmbeddedCanopy) canopy;
    node.probe(node.shards() - 1, timeout);
  }
}
