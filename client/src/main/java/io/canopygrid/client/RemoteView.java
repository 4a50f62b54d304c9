package io.canopygrid.client;

import io.canopygrid.client.netty.Pages;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineView;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One index in one transaction. Keeps own writes too, so that reading them costs no request. */
final class RemoteView implements EngineView {
  /** Stands for the value of a key that the transaction removed. */
  private static final byte[] REMOVED = new byte[0];

  private final RemoteTransaction transaction;
  private final RemoteIndex index;

  /** Own writes by key; null as long as there is none. */
  private @Nullable TreeMap<byte[], byte[]> own;

  private boolean writes;

  RemoteView(RemoteTransaction transaction, RemoteIndex index) {
    this.transaction = transaction;
    this.index = index;
  }

  RemoteIndex index() {
    return index;
  }

  RemoteTransaction transaction() {
    return transaction;
  }

  boolean hasWrites() {
    return writes;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] mine = own == null ? null : own.get(key);
    if (mine != null) {
      return valueOf(mine);
    }
    return transaction
        .ask(index, key, step -> new Request.Get(step, index.number(), key), Reply.Value.class)
        .value();
  }

  @Override
  public void put(byte[] key, byte[] value) {
    transaction.write(index, key, value);
    remember(key, value);
  }

  @Override
  public void remove(byte[] key) {
    transaction.write(index, key, null);
    remember(key, REMOVED);
  }

  private void remember(byte[] key, byte[] value) {
    writes = true;
    if (own == null) {
      own = new TreeMap<>(Arrays::compareUnsigned);
    }
    own.put(key, value);
  }

  @Override
  public EngineScan scan(KeyRange range, boolean reverse, long limit) {
    return new RemoteScan(this, range, reverse, limit);
  }

  @Override
  public long count(KeyRange range) {
    return transaction
        .ask(
            index,
            range.from(),
            step -> new Request.CountRange(step, index.number(), range),
            Reply.Count.class)
        .count();
  }

  @Override
  public long removeRange(KeyRange range) {
    long removed =
        transaction
            .ask(
                index,
                range.from(),
                step -> new Request.RemoveRange(step, index.number(), range),
                Reply.Count.class)
            .count();
    writes = true;
    if (own != null) {
      within(own, range).replaceAll((key, value) -> REMOVED);
    }
    return removed;
  }

  /** The next own write of a range, in a direction. */
  Map.@Nullable Entry<byte[], byte[]> next(KeyRange range, boolean reverse) {
    if (own == null || range.isEmpty()) {
      return null;
    }
    NavigableMap<byte[], byte[]> some = within(own, range);
    return reverse ? some.lastEntry() : some.firstEntry();
  }

  private static NavigableMap<byte[], byte[]> within(
      NavigableMap<byte[], byte[]> all, KeyRange range) {
    byte[] to = range.to();
    return to == null ? all.tailMap(range.from(), true) : all.subMap(range.from(), true, to, false);
  }

  /** The value of an own write, null where it removes the key. */
  @SuppressWarnings("ReferenceEquality") // an empty value is a value
  static byte @Nullable [] valueOf(byte[] mine) {
    return mine == REMOVED ? null : mine;
  }

  /** A cursor at the server, and its first page. */
  record Opened(Pages pages, Reply.Page first) {}

  /** Opens a cursor. */
  Opened open(KeyRange range, boolean reverse, long limit, int pageEntries, int credits) {
    Pages[] opened = new Pages[1];
    byte[] to = range.to();
    byte[] near = reverse && to != null ? to : range.from();
    Reply.Page first =
        transaction.ask(
            index,
            near,
            Reply.Page.class,
            (connection, step) -> {
              opened[0] =
                  connection.open(say ->
                      new Request.Scan(
                          step.apply(say),
                          index.number(),
                          range,
                          reverse,
                          false,
                          limit,
                          pageEntries,
                          RemoteScan.PAGE_BYTES,
                          credits));
              return opened[0].take();
            });
    transaction.opened(opened[0]);
    return new Opened(opened[0], first);
  }
}
