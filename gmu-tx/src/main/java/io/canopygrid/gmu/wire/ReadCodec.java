package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;

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

  static void writeQuery(WireWriter out, ReadQuery query) {
    if (query instanceof ReadQuery.Get get) {
      out.oneByte(kindOf(get));
      out.bytes(get.key().bytes());
    } else if (query instanceof ReadQuery.Scan scan) {
      out.oneByte(SCAN);
      out.eightBytes(scan.kcl());
      out.bytes(scan.from());
      out.nullableBytes(scan.to());
      out.bool(scan.reverse());
      out.varint(scan.limit());
      out.bool(scan.values());
    } else if (query instanceof ReadQuery.Count count) {
      out.oneByte(COUNT);
      out.eightBytes(count.kcl());
      out.bytes(count.from());
      out.nullableBytes(count.to());
    }
  }

  private static int kindOf(ReadQuery.Get get) {
    return switch (get.turn()) {
      case NONE -> GET;
      case BEHIND_OTHERS -> GET_BEHIND_OTHERS;
      case OWN -> GET_IN_TURN;
    };
  }

  static ReadQuery readQuery(WireReader in) {
    int kind = in.oneByte();
    return switch (kind) {
      case GET -> new ReadQuery.Get(in.key());
      case GET_BEHIND_OTHERS -> new ReadQuery.Get(in.key(), ReadQuery.Turn.BEHIND_OTHERS);
      case GET_IN_TURN -> new ReadQuery.Get(in.key(), ReadQuery.Turn.OWN);
      case SCAN ->
          new ReadQuery.Scan(
              in.eightBytes(),
              in.bytes(),
              in.nullableBytes(),
              in.bool(),
              in.number(Integer.MAX_VALUE),
              in.bool());
      case COUNT -> new ReadQuery.Count(in.eightBytes(), in.bytes(), in.nullableBytes());
      default -> throw new WireException("no kind of query: " + kind);
    };
  }

  static void writeAnswer(WireWriter out, ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Got got) {
      out.oneByte(GOT);
      out.nullableBytes(got.value());
      writeSeen(out, got.seen());
    } else if (answer instanceof ReadAnswer.Scanned scanned) {
      out.oneByte(SCANNED);
      out.nullableBytes(scanned.header());
      out.list(scanned.entries(), ReadCodec::writeEntry);
      out.bool(scanned.complete());
    } else if (answer instanceof ReadAnswer.Redirected redirected) {
      out.oneByte(REDIRECTED);
      out.bytes(redirected.header());
      out.bool(redirected.unborn());
    } else if (answer instanceof ReadAnswer.TooOld) {
      out.oneByte(TOO_OLD);
    } else if (answer instanceof ReadAnswer.Unavailable unavailable) {
      out.oneByte(UNAVAILABLE);
      out.shard(unavailable.shard());
    } else if (answer instanceof ReadAnswer.Counted counted) {
      out.oneByte(COUNTED);
      out.nullableBytes(counted.header());
      out.varint(counted.entries());
    }
  }

  static ReadAnswer readAnswer(WireReader in) {
    int kind = in.oneByte();
    return switch (kind) {
      case GOT -> new ReadAnswer.Got(in.nullableBytes(), readSeen(in));
      case SCANNED ->
          new ReadAnswer.Scanned(in.nullableBytes(), in.list(ReadCodec::readEntry), in.bool());
      case REDIRECTED -> new ReadAnswer.Redirected(in.bytes(), in.bool());
      case TOO_OLD -> new ReadAnswer.TooOld();
      case UNAVAILABLE -> new ReadAnswer.Unavailable(in.shard());
      case COUNTED -> new ReadAnswer.Counted(in.nullableBytes(), in.number(Integer.MAX_VALUE));
      default -> throw new WireException("no kind of answer: " + kind);
    };
  }

  private static void writeEntry(WireWriter out, ReadAnswer.Entry entry) {
    out.bytes(entry.ku());
    out.nullableBytes(entry.value());
    writeSeen(out, entry.seen());
  }

  private static ReadAnswer.Entry readEntry(WireReader in) {
    return new ReadAnswer.Entry(in.bytes(), in.nullableBytes(), readSeen(in));
  }

  static void writeSeen(WireWriter out, Seen seen) {
    out.oneByte((seen.writer() == null ? 0 : HAS_WRITER) | (seen.tombstone() ? TOMBSTONE : 0));
    if (seen.writer() != null) {
      out.tid(seen.writer());
    }
  }

  static Seen readSeen(WireReader in) {
    int flags = in.oneByte();
    if (flags > (HAS_WRITER | TOMBSTONE)) {
      throw new WireException("no flags of what was seen: " + flags);
    }
    if (flags == 0) {
      return Seen.ABSENT;
    }
    return new Seen((flags & HAS_WRITER) != 0 ? in.tid() : null, (flags & TOMBSTONE) != 0);
  }
}
