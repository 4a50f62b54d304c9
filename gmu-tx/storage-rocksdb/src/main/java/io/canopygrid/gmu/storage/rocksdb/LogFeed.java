package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.wal.SegmentReader;
import io.canopygrid.gmu.wire.StepReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Brings what was logged into the engine, a segment at a time: as one batch, with the position of
 * its last record, in sorted files. So the engine needs no log of its own, and always has all up to
 * the end of some segment. Confined to one thread.
 */
final class LogFeed {
  private final RocksEngine engine;
  private final EngineFailures failures;
  private final ChangeWriter writer;
  private long position;

  /**
   * @param position up to which the engine has all
   */
  LogFeed(RocksEngine engine, EngineFailures failures, ChangeWriter writer, long position) {
    this.engine = engine;
    this.failures = failures;
    this.writer = writer;
    this.position = position;
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

  /** Brings the records of a segment into the engine, to the last whole one. */
  void feed(SegmentReader segment) throws IOException, RocksDBException {
    NetChanges net = new NetChanges();
    read(segment, net);
    store(net);
  }

  /** The position up to which all was read. */
  long position() {
    return position;
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
