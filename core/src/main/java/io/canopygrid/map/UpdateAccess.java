package io.canopygrid.map;

import io.canopygrid.MutableView;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The view of an update transaction. Confined to the transaction's thread. */
final class UpdateAccess<K, V> extends SnapshotAccess<K, V> {
  private final MutableView<K, V> view;

  UpdateAccess(MutableView<K, V> view) {
    super(view);
    this.view = view;
  }

  @Override
  public <T extends @Nullable Object> T write(Function<MutableView<K, V>, T> body) {
    return body.apply(view);
  }
}
