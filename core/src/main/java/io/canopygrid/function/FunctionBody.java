package io.canopygrid.function;

import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionTransaction;
import io.canopygrid.Index;
import io.canopygrid.Limits;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.TablePart;
import io.canopygrid.transaction.UpdateTransaction;
import io.canopygrid.typed.Handle;
import io.canopygrid.typed.IndexOpener;
import org.jspecify.annotations.Nullable;

/** The transaction that a function gets. Confined to one thread at a time. */
final class FunctionBody extends UpdateTransaction implements FunctionTransaction {
  private final IndexOpener opener;
  private final FunctionRequest.@Nullable At at;

  FunctionBody(
      Handle owner, EngineTransaction engine, IndexOpener opener, FunctionRequest.@Nullable At at) {
    super(owner, engine, null);
    this.opener = opener;
    this.at = at;
  }

  @Override
  public <K, V> Index<K, V> index(String name, Codec<K> keys, Codec<V> values) {
    checkOpen();
    return opener.open(name, keys, values);
  }

  @Override
  public @Nullable Place place() {
    checkOpen();
    return at == null
        ? null
        : new OwnPlace(at.index(), at.key(), TablePart.guarded(engine(), at.index()));
  }

  /** The index of the call's place, for functions of the system. */
  EngineView viewOfPlace(String function) {
    checkOpen();
    if (at == null) {
      throw error(ErrorCode.INVALID_ARGUMENT, "function '" + function + "' needs a place");
    }
    return engine().on(at.index());
  }

  /** The entry of the call's key. */
  private final class OwnPlace implements Place {
    private final OpenIndex index;
    private final byte[] key;
    private final EngineView view;

    OwnPlace(OpenIndex index, byte[] key, EngineView view) {
      this.index = index;
      this.key = key;
      this.view = view;
    }

    @Override
    public String index() {
      return index.name();
    }

    @Override
    public String valueCodec() {
      return index.valueCodec();
    }

    @Override
    public byte[] key() {
      return key.clone();
    }

    @Override
    public byte @Nullable [] get() {
      checkOpen();
      byte[] value = view.get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public void put(byte[] value) {
      checkOpen();
      notNull("the value", value);
      if (value.length > Limits.VALUE_BYTES_MAX) {
        throw error(
            ErrorCode.VALUE_TOO_LARGE,
            "the value takes " + value.length + " bytes, at most " + Limits.VALUE_BYTES_MAX);
      }
      view.put(key, value.clone());
    }

    @Override
    public void remove() {
      checkOpen();
      view.remove(key);
    }
  }
}
