package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.wire.MalformedBytesException;

/** The bytes of queries and answers. */
final class ReadCodec {
  private static final int GET = 0;
  private static final int SCAN = 1;
  private static final int COUNT = 2;
  private static final int GET_BEHIND_OTHERS = 3;
  private static final int GET_IN_TURN = 4;

  private static final int GOT = 0;
  private static final int SCANNED = 1;
  private static final int REDIRECTED = 2;
  private static final int TOO_OLD = 3;
  private static final int UNAVAILABLE = 4;
  private static final int COUNTED = 5;

  private static final int HAS_WRITER = 1;
  private static final int TOMBSTONE = 2;

  private ReadCodec() {}

  static void writeQuery(MessageWriter out, ReadQuery query) {
    if (query instanceof ReadQuery.Get get) {
      out.writeByte(kindOf(get));
      out.writeBytes(get.key().bytes());
    } else if (query instanceof ReadQuery.Scan scan) {
      out.writeByte(SCAN);
      out.writeLong(scan.kcl());
      out.writeBytes(scan.from());
      out.writeNullableBytes(scan.to());
      out.writeFlag(scan.reverse());
      out.writeVarLong(scan.limit());
      out.writeFlag(scan.values());
    } else if (query instanceof ReadQuery.Count count) {
      out.writeByte(COUNT);
      out.writeLong(count.kcl());
      out.writeBytes(count.from());
      out.writeNullableBytes(count.to());
    }
  }

  private static int kindOf(ReadQuery.Get get) {
    return switch (get.turn()) {
      case NONE -> GET;
      case BEHIND_OTHERS -> GET_BEHIND_OTHERS;
      case OWN -> GET_IN_TURN;
    };
  }

  static ReadQuery readQuery(MessageReader in) {
    int kind = in.readByte();
    return switch (kind) {
      case GET -> new ReadQuery.Get(in.readKey());
      case GET_BEHIND_OTHERS -> new ReadQuery.Get(in.readKey(), ReadQuery.Turn.BEHIND_OTHERS);
      case GET_IN_TURN -> new ReadQuery.Get(in.readKey(), ReadQuery.Turn.OWN);
      case SCAN ->
          new ReadQuery.Scan(
              in.readLong(),
              in.readBytes(),
              in.readNullableBytes(),
              in.readFlag(),
              in.readCount(Integer.MAX_VALUE),
              in.readFlag());
      case COUNT -> new ReadQuery.Count(in.readLong(), in.readBytes(), in.readNullableBytes());
      default -> throw new MalformedBytesException("no kind of query: " + kind);
    };
  }

  static void writeAnswer(MessageWriter out, ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Got got) {
      out.writeByte(GOT);
      out.writeNullableBytes(got.value());
      writeSeen(out, got.seen());
    } else if (answer instanceof ReadAnswer.Scanned scanned) {
      out.writeByte(SCANNED);
      out.writeNullableBytes(scanned.header());
      out.writeList(scanned.entries(), ReadCodec::writeEntry);
      out.writeFlag(scanned.complete());
    } else if (answer instanceof ReadAnswer.Redirected redirected) {
      out.writeByte(REDIRECTED);
      out.writeBytes(redirected.header());
      out.writeFlag(redirected.unborn());
    } else if (answer instanceof ReadAnswer.TooOld) {
      out.writeByte(TOO_OLD);
    } else if (answer instanceof ReadAnswer.Unavailable unavailable) {
      out.writeByte(UNAVAILABLE);
      out.writeShard(unavailable.shard());
    } else if (answer instanceof ReadAnswer.Counted counted) {
      out.writeByte(COUNTED);
      out.writeNullableBytes(counted.header());
      out.writeVarLong(counted.entries());
    }
  }

  static ReadAnswer readAnswer(MessageReader in) {
    int kind = in.readByte();
    return switch (kind) {
      case GOT -> new ReadAnswer.Got(in.readNullableBytes(), readSeen(in));
      case SCANNED ->
          new ReadAnswer.Scanned(
              in.readNullableBytes(), in.readList(ReadCodec::readEntry), in.readFlag());
      case REDIRECTED -> new ReadAnswer.Redirected(in.readBytes(), in.readFlag());
      case TOO_OLD -> new ReadAnswer.TooOld();
      case UNAVAILABLE -> new ReadAnswer.Unavailable(in.readShard());
      case COUNTED ->
          new ReadAnswer.Counted(in.readNullableBytes(), in.readCount(Integer.MAX_VALUE));
      default -> throw new MalformedBytesException("no kind of answer: " + kind);
    };
  }

  private static void writeEntry(MessageWriter out, ReadAnswer.Entry entry) {
    out.writeBytes(entry.ku());
    out.writeNullableBytes(entry.value());
    writeSeen(out, entry.seen());
  }

  private static ReadAnswer.Entry readEntry(MessageReader in) {
    return new ReadAnswer.Entry(in.readBytes(), in.readNullableBytes(), readSeen(in));
  }

  static void writeSeen(MessageWriter out, Seen seen) {
    out.writeByte((seen.writer() == null ? 0 : HAS_WRITER) | (seen.tombstone() ? TOMBSTONE : 0));
    if (seen.writer() != null) {
      out.writeTid(seen.writer());
    }
  }

  static Seen readSeen(MessageReader in) {
    int flags = in.readByte();
    if (flags > (HAS_WRITER | TOMBSTONE)) {
      throw new MalformedBytesException("no flags of what was seen: " + flags);
    }
    if (flags == 0) {
      return Seen.ABSENT;
    }
    return new Seen((flags & HAS_WRITER) != 0 ? in.readTid() : null, (flags & TOMBSTONE) != 0);
  }
}
