package io.canopygrid.runtime;

import io.canopygrid.IndexOptions;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.names.TableNames;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The indexes that a handle has opened, by name. An index that is not current any more is opened
 * anew, so it does no harm where a race puts one back that was dropped. Thread-safe.
 */
final class KnownIndexes {
  private final Engine engine;
  private final Map<String, OpenIndex> byName = new ConcurrentHashMap<>();

  KnownIndexes(Engine engine) {
    this.engine = engine;
  }

  /** All that are known. */
  Collection<OpenIndex> all() {
    return byName.values();
  }

  /** The index of a name, created where there is none. */
  OpenIndex open(EntryCodec<?, ?> entries, IndexOptions options) {
    OpenIndex known = current(entries.index());
    return known == null ? kept(engine.open(entries, options)) : known;
  }

  /** The index of a name, which is not created; also one that was dropped: see the engine. */
  OpenIndex find(EntryCodec<?, ?> entries) {
    OpenIndex known = current(entries.index());
    if (known != null) {
      return known;
    }
    OpenIndex found = engine.find(entries);
    return found.isCurrent() ? kept(found) : found;
  }

  private @Nullable OpenIndex current(String name) {
    OpenIndex known = byName.get(name);
    return known != null && known.isCurrent() ? known : null;
  }

  private OpenIndex kept(OpenIndex opened) {
    return byName.compute(
        opened.name(), (any, known) -> known != null && known.isCurrent() ? known : opened);
  }

  /** Forgets the index of a name if somebody else has dropped it, which may have to be asked. */
  void confirm(String name) {
    OpenIndex known = byName.get(name);
    if (known != null && !engine.isStill(known)) {
      byName.remove(name, known);
    }
  }

  /**
   * Forgets all indexes of a table if somebody else has dropped one of them. A table that was
   * created again has none of the former one, of which only a part may be known as dropped.
   */
  void confirmTable(String table) {
    for (OpenIndex known : byName.values()) {
      if (table.equals(TableNames.tableOf(known.name())) && !engine.isStill(known)) {
        forgetTable(table);
        return;
      }
    }
  }

  /** Forgets all indexes of a table. */
  void forgetTable(String table) {
    byName.keySet().removeIf(index -> table.equals(TableNames.tableOf(index)));
  }

  boolean dropIndex(String name) {
    boolean dropped = engine.dropIndex(name);
    forget(name::equals);
    return dropped;
  }

  boolean drop(OpenIndex index) {
    boolean dropped = engine.drop(index);
    forget(index.name()::equals);
    return dropped;
  }

  boolean dropTable(String name) {
    boolean dropped = engine.dropTable(name);
    forget(index -> name.equals(TableNames.tableOf(index)));
    return dropped;
  }

  private void forget(Predicate<String> names) {
    byName.values().removeIf(index -> names.test(index.name()) && !index.isCurrent());
  }
}
