package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.wal.SegmentReader;
import io.canopygrid.gmu.wire.StepReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Brings what was logged into the engine, some segments at a time: as one batch, with the position
 * of their last record, in sorted files. So the engine needs no log of its own, and always has all
 * up to the end of some segment. Confined to one thread.
 */
final class LogFeed implements LogFeeder.Feed {
  private final RocksEngine engine;
  private final EngineFailures failures;
  private final ChangeWriter writer;
  private final long bytesMax;
  private NetChanges taken = new NetChanges();
  private long position;

  /** The position up to which the engine has all. */
  private volatile long stored;

  /**
   * @param position up to which the engine has all
   * @param bytesMax what was taken is stored where it takes about so many bytes
   */
  LogFeed(
      RocksEngine engine,
      EngineFailures failures,
      ChangeWriter writer,
      long position,
      long bytesMax) {
    this.engine = engine;
    this.failures = failures;
    this.writer = writer;
    this.position = position;
    this.stored = position;
    this.bytesMax = bytesMax;
  }

  /**
   * Reads the records of a segment that the engine does not have, to the last whole one, and adds
   * their changes to others.
   */
  void read(SegmentReader segment, NetChanges net) throws IOException {
    StepReader steps = new StepReader();
    long last = position;
    while (segment.next()) {
      ByteBuffer content = segment.content();
      List<StorageChange> changes =
          steps.decode(
              content.array(), content.arrayOffset() + content.position(), content.remaining());
      if (segment.position() > last) {
        last = segment.position();
        changes.forEach(change -> writer.write(change, net));
      }
    }
    if (last > position) {
      writer.writePosition(net, last);
      position = last;
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>It waits for the next ones, as long as what is left of all does not take much memory.
   */
  @Override
  public boolean take(SegmentReader segment) throws IOException, RocksDBException {
    read(segment, taken);
    if (taken.isEmpty()) {
      stored = position;
      return true;
    }
    if (taken.bytes() < bytesMax) {
      return false;
    }
    store();
    return true;
  }

  @Override
  public void store() throws RocksDBException {
    NetChanges net = taken;
    taken = new NetChanges();
    store(net);
    stored = position;
  }

  /** The position up to which the engine has all. Any thread. */
  long stored() {
    return stored;
  }

  /** A power cut may have taken what came behind all that was taken; stored together with that. */
  void mayLack() {
    writer.writeMayLack(taken);
  }

  /** All was taken of a log that ends in order with this segment; stored together with that. */
  void endsInOrder(long newest) {
    writer.writeClosed(taken, newest);
  }

  /** The position up to which all was read. */
  long position() {
    return position;
  }

  /** All that the engine has, before anything else is taken. */
  void learn(Recovered content) {
    writer.learn(content);
  }

  /** All that the engine had of a shard at some time. Any thread. */
  void learn(int shard, Recovered.Copy copy) {
    writer.learn(shard, copy);
  }

  /** Drops copies of the engine that are not complete. */
  void dropIncomplete() throws RocksDBException {
    NetChanges net = new NetChanges();
    writer.dropIncomplete(net);
    store(net);
  }

  private void store(NetChanges net) throws RocksDBException {
    if (net.isEmpty()) {
      return;
    }
    writer.follow(net);
    try (WriteBatch batch = new WriteBatch()) {
      net.writeTo(batch, engine);
      engine.write(batch);
    }
    engine.flush();
    if (engine.hasFailedInBackground()) {
      throw failures.inBackground(null);
    }
  }
}
