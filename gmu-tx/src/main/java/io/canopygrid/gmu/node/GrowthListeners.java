package io.canopygrid.gmu.node;

import io.canopygrid.gmu.node.GmuNode.GrowthListener;
import io.canopygrid.gmu.protocol.Effect;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners that hear that a kcl has grown. Thread-safe. */
final class GrowthListeners {
  private static final Logger LOG = LoggerFactory.getLogger(GrowthListeners.class);

  private final CopyOnWriteArrayList<GrowthListener> all = new CopyOnWriteArrayList<>();

  void add(GrowthListener listener) {
    all.add(listener);
  }

  /** Tells all; a listener that throws does not stop the others. */
  void tell(Effect.Grew grew) {
    for (GrowthListener listener : all) {
      try {
        listener.grew(grew.kcl(), grew.entries());
      } catch (RuntimeException e) {
        LOG.warn("a listener to growth failed at kcl {}", grew.kcl(), e);
      }
    }
  }
}
