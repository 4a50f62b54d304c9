package io.canopygrid.btree.embedded;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.engine.EngineView;
import io.canopygrid.typed.OpenTransaction;
import io.canopygrid.typed.TypedIndex;
import java.util.function.Consumer;

/** Writes to the indexes of which a table is made, as the library refuses to. */
final class Damage {
  private final EmbeddedCanopy db;

  Damage(EmbeddedCanopy db) {
    this.db = db;
  }

  /** Changes the bytes of one of the indexes. */
  <K, V> void in(String part, Codec<K> keys, Codec<V> values, Consumer<EngineView> damage) {
    Index<K, V> index = db.index(part, keys, values);
    db.run(tx -> {
      OpenTransaction open = (OpenTransaction) tx;
      damage.accept(open.engine().on(((TypedIndex<K, V>) index).opened()));
    });
  }
}
