package io.canopygrid.btree.function;

import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.SortedPart;
import io.canopygrid.function.FunctionRights;
import org.jspecify.annotations.Nullable;

/** A view of an index that checks the caller's rights before each read and write. */
record GuardedView(EngineView view, OpenIndex index, FunctionRights rights) implements EngineView {
  @Override
  public byte @Nullable [] get(byte[] key) {
    rights.read(index);
    return view.get(key);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    rights.write(index);
    view.put(key, value);
  }

  @Override
  public void remove(byte[] key) {
    rights.write(index);
    view.remove(key);
  }

  @Override
  public EngineScan scan(KeyRange range, boolean reverse, long limit) {
    rights.read(index);
    return view.scan(range, reverse, limit);
  }

  @Override
  public long count(KeyRange range) {
    rights.read(index);
    return view.count(range);
  }

  @Override
  public int load(SortedPart part) {
    rights.read(index);
    rights.write(index);
    return view.load(part);
  }

  @Override
  public long removeRange(KeyRange range) {
    rights.read(index);
    rights.write(index);
    return view.removeRange(range);
  }
}
