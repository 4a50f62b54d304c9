package io.canopygrid.btree.serve;

import io.canopygrid.btree.access.commit.TransactionView;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineView;
import org.jspecify.annotations.Nullable;

/** A view of an index that checks and counts each write before the transaction takes it. */
record LimitedView(TransactionView view, WriteLimits limits) implements EngineView {
  @Override
  public byte @Nullable [] get(byte[] key) {
    return view.get(key);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    limits.written(key, value.length);
    view.put(key, value);
  }

  @Override
  public void remove(byte[] key) {
    limits.written(key, 0);
    view.remove(key);
  }

  @Override
  public EngineScan scan(KeyRange range, boolean reverse, long limit) {
    return view.scan(range, reverse, limit);
  }

  @Override
  public long count(KeyRange range) {
    return view.count(range);
  }

  @Override
  public long removeRange(KeyRange range) {
    return view.removeRange(range, key -> limits.written(key, 0));
  }
}
