package io.canopygrid.micrometer;

import io.canopygrid.Canopy;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The metrics of a handle in the application's own registry, by the names that servers have: of
 * every handle the counts of its transactions, and of an embedded node also those of the node and
 * its cluster.
 *
 * <pre>{@code
 * CanopyMetrics metrics = new CanopyMetrics(db);
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>A registry keeps the handle in memory until these metrics are closed. After the handle is
 * closed its counts stay as they are, and what is asked of its node has no value. Thread-safe.
 */
public final class CanopyMetrics implements MeterBinder, AutoCloseable {
  /** This class is asked for by its name, as clients have no node on their class path. */
  private static final String NODE = "io.canopygrid.btree.embedded.EmbeddedCanopy";

  private final Canopy canopy;
  private final Tags tags;
  private final List<Meters> bound = new CopyOnWriteArrayList<>();

  /** The metrics of a handle, without further tags. */
  public CanopyMetrics(Canopy canopy) {
    this(canopy, List.of());
  }

  /**
   * The metrics of one of several handles of an application.
   *
   * @param tags which tell it from the others in the same registry
   */
  public CanopyMetrics(Canopy canopy, Iterable<Tag> tags) {
    this.canopy = canopy;
    this.tags = Tags.of(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry, tags);
    bound.add(meters);
    TransactionFigures.add(meters, canopy::stats);
    if (canopy.getClass().getName().equals(NODE)) {
      Node.add(meters, canopy);
    }
  }

  /** Takes the meters out of the registries that they were bound to. */
  @Override
  public void close() {
    bound.forEach(Meters::remove);
    bound.clear();
  }

  /** A class of its own, so that the node's class is looked for only where there is one. */
  private static final class Node {
    static void add(Meters meters, Canopy canopy) {
      NodeFigures.add(meters, ((EmbeddedCanopy) canopy).served(), "");
    }
  }
}
