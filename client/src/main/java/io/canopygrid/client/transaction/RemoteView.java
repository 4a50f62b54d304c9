package io.canopygrid.client.transaction;

import io.canopygrid.client.server.RemoteIndex;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineView;
import io.canopygrid.table.TableDefinitions;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireLimits;
import org.jspecify.annotations.Nullable;

/** One index in one conversation. Keeps own writes too, so that reading them costs no request. */
final class RemoteView implements EngineView {
  private final Conversation conversation;
  private final RemoteIndex index;

  /** Null as long as nobody has asked for it: most transactions neither write nor scan. */
  private @Nullable OwnWrites own;

  private boolean writes;

  RemoteView(Conversation conversation, RemoteIndex index) {
    this.conversation = conversation;
    this.index = index;
  }

  RemoteIndex index() {
    return index;
  }

  boolean hasWrites() {
    return writes;
  }

  private int number() {
    return index.number(conversation.how().grid());
  }

  private OwnWrites own() {
    OwnWrites mine = own;
    if (mine == null) {
      mine = new OwnWrites();
      own = mine;
    }
    return mine;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] mine = own == null ? null : own.get(key);
    if (mine != null) {
      return OwnWrites.valueOf(mine);
    }
    return conversation
        .ask(index, key, step -> new Request.Get(step, number(), key), Reply.Value.class)
        .value();
  }

  /** The definitions of a table, of which this is the index, for a writer of its rows. */
  byte @Nullable [] definitions(RemoteView rows) {
    byte[] key = TableDefinitions.key();
    byte[] mine = own == null ? null : own.get(key);
    if (mine != null) {
      return OwnWrites.valueOf(mine);
    }
    return conversation
        .ask(
            index,
            key,
            Reply.Value.class,
            (connection, step) -> {
              boolean able = (connection.welcome().features() & WireLimits.FEATURE_SCHEMAS) != 0;
              return connection.ask(say -> {
                Step told = step.apply(say);
                return able
                    ? new Request.GetDefinitions(told, number(), rows.number())
                    : new Request.Get(told, number(), key);
              });
            })
        .value();
  }

  @Override
  public void put(byte[] key, byte[] value) {
    conversation.write(index, key, value);
    writes = true;
    own().put(key, value);
  }

  @Override
  public void remove(byte[] key) {
    conversation.write(index, key, null);
    writes = true;
    own().remove(key);
  }

  @Override
  public EngineScan scan(KeyRange range, boolean reverse, long limit) {
    return new RemoteScan(conversation, index, own(), range, reverse, limit);
  }

  @Override
  public long count(KeyRange range) {
    return conversation
        .ask(
            index,
            range.from(),
            step -> new Request.CountRange(step, number(), range),
            Reply.Count.class)
        .count();
  }

  @Override
  public long removeRange(KeyRange range) {
    long removed =
        conversation
            .ask(
                index,
                range.from(),
                step -> new Request.RemoveRange(step, number(), range),
                Reply.Count.class)
            .count();
    writes = true;
    own().removeRange(range);
    return removed;
  }
}
