package io.canopygrid.wire.client;

import io.canopygrid.GridId;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;
import io.canopygrid.wire.MalformedBytesException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages about change feeds. */
final class FeedCodec {
  private FeedCodec() {}

  static void write(ByteWriter out, Request.ReadChanges m) {
    out.writeVarLong(m.feed()).writeVarLong(m.index());
    Parts.writeRange(out, m.range());
    out.writeText(m.snapshot());
    Request.Told after = m.after();
    Parts.writeFlag(out, after != null);
    if (after != null) {
      write(out, after);
    }
    out.writeVarLong(m.parts()).writeVarLong(m.bytesMax());
  }

  static Request.ReadChanges readReadChanges(ByteReader in) {
    long feed = Parts.readLong(in);
    int index = Parts.readInt(in);
    KeyRange range = Parts.readRange(in);
    String snapshot = Parts.readName(in);
    Request.@Nullable Told after = Parts.readFlag(in) ? readTold(in) : null;
    if (after != null && !snapshot.isEmpty()) {
      throw new MalformedBytesException("a feed begins after a snapshot or a clock, not both");
    }
    int parts = Parts.readInt(in);
    return new Request.ReadChanges(feed, index, range, snapshot, after, parts, Parts.readInt(in));
  }

  private static void write(ByteWriter out, Request.Told after) {
    GridId grid = after.grid();
    Parts.writeFlag(out, grid != null);
    if (grid != null) {
      Parts.writeGrid(out, grid);
    }
    ClockBytes.write(out, after.clock());
  }

  private static Request.Told readTold(ByteReader in) {
    @Nullable GridId grid = Parts.readFlag(in) ? Parts.readGrid(in) : null;
    return new Request.Told(grid, ClockBytes.read(in));
  }

  static void write(ByteWriter out, Request.CloseFeed m) {
    out.writeVarLong(m.feed());
  }

  static Request.CloseFeed readCloseFeed(ByteReader in) {
    return new Request.CloseFeed(Parts.readLong(in));
  }

  static void write(ByteWriter out, Reply.FeedChanges m) {
    out.writeVarLong(m.feed());
    Parts.writeFlag(out, m.first());
    Parts.writeFlag(out, m.more());
    Parts.writeFlag(out, m.continued());
    ClockBytes.write(out, m.clock());
    Parts.writeList(out, m.pieces(), ByteWriter::writeBytes);
  }

  static Reply.FeedChanges readFeedChanges(ByteReader in) {
    long feed = Parts.readLong(in);
    boolean first = Parts.readFlag(in);
    boolean more = Parts.readFlag(in);
    boolean continued = Parts.readFlag(in);
    VectorClock clock = ClockBytes.read(in);
    List<byte[]> pieces = Parts.readList(in, 1, ByteReader::readBytes);
    return new Reply.FeedChanges(feed, first, more, continued, clock, pieces);
  }
}
