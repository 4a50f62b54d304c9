package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.message.DiskTrouble;
import io.canopygrid.gmu.message.DiskTrouble.Kind;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Messages to bytes and back; the package's page says how. Stateless and thread-safe. */
public final class MessageCodec {
  /** From this level on a read may have a part of its clock only. */
  private static final int NARROW_READS = 9;

  private static final int READ = 0;
  private static final int READ_REPLY = 1;
  private static final int PREPARE = 2;
  private static final int VOTE = 3;
  private static final int DECIDE = 4;
  private static final int ACK = 5;
  private static final int FLUSH = 6;
  private static final int FLUSH_DONE = 7;
  private static final int STATE_REQUEST = 8;
  private static final int STATE = 9;
  private static final int MARK = 10;
  private static final int HORIZON_REPORT = 11;
  private static final int HORIZON = 12;
  private static final int WATERMARKS = 13;
  private static final int TURN_ENDED = 14;
  private static final int NUMBERS_ASKED = 15;
  private static final int NUMBERS_TOLD = 16;
  private static final int HOT_SERVED = 17;
  private static final int HOT_PUSH = 18;
  private static final int HOT_ASK = 19;

  private MessageCodec() {}

  /** The message's bytes at this release's own level. */
  public static ByteBuffer encode(Message message) {
    return encode(message, ProtocolLevel.highest());
  }

  /**
   * The message's bytes: from the buffer's position to its limit, with a backing array.
   *
   * @param level that all nodes of the grid speak; {@link ProtocolLevel}
   */
  public static ByteBuffer encode(Message message, int level) {
    MessageWriter out = new MessageWriter();
    int written = Math.max(level, lowestLevel(message));
    out.writeByte(written);
    if (message instanceof Message.Read || message instanceof Message.ReadReply) {
      writeRead(out, message, written);
    } else if (message instanceof Message.State state) {
      out.writeByte(STATE);
      StateCodec.writeState(out, state);
    } else if (message instanceof Message.InTopology bound) {
      writeInTopology(out, bound);
    } else {
      writeRest(out, message);
    }
    return out.written();
  }

  /**
   * The message of {@code length} bytes from {@code offset} on, which must lie within the array. It
   * keeps no reference to the array.
   *
   * @throws MalformedBytesException where the bytes are no message, or of a level that this release
   *     does not speak
   */
  public static Message decode(byte[] bytes, int offset, int length) {
    MessageReader in = new MessageReader(bytes, offset, length);
    int level = in.readByte();
    if (!ProtocolLevel.isSpoken(level)) {
      throw new MalformedBytesException(
          String.format(
              Locale.ROOT,
              "level %d, and this release speaks levels %d to %d",
              level,
              ProtocolLevel.lowest(),
              ProtocolLevel.highest()));
    }
    Message message = readMessage(in, level);
    in.end();
    return message;
  }

  /**
   * The lowest level that has a form for a message. A node that has just been told of a lower level
   * of the grid may have made one for a higher one: who does not know it takes it for lost.
   */
  private static int lowestLevel(Message message) {
    return message instanceof Message.Read read && !read.whole()
        ? NARROW_READS
        : ProtocolLevel.lowest();
  }

  private static void writeRead(MessageWriter out, Message message, int level) {
    if (message instanceof Message.Read read) {
      out.writeByte(READ);
      out.writeVarLong(read.topology());
      out.writeVarLong(read.request());
      out.writeShard(read.shard());
      ReadCodec.writeQuery(out, read.query());
      out.writeClock(read.clock());
      out.writeShards(read.hasRead());
      if (level >= NARROW_READS) {
        out.writeFlag(read.whole());
      }
    } else if (message instanceof Message.ReadReply reply) {
      out.writeByte(READ_REPLY);
      out.writeVarLong(reply.request());
      out.writeShard(reply.shard());
      out.writeClock(reply.clock());
      ReadCodec.writeAnswer(out, reply.answer());
      out.writeFlag(reply.inTurn());
    }
  }

  private static void writeInTopology(MessageWriter out, Message.InTopology message) {
    out.writeByte(typeOf(message));
    out.writeVarLong(message.topology());
    if (message instanceof Message.Prepare prepare) {
      RecordCodec.writeRecord(out, prepare.record());
    } else if (message instanceof Message.Decide decide) {
      out.writeShard(decide.shard());
      out.writeFlag(decide.record() != null);
      if (decide.record() != null) {
        RecordCodec.writeRecord(out, decide.record());
      }
      RecordCodec.writeDecision(out, decide.decision());
      out.writeFlag(decide.stable());
      out.writeVarLong(decide.complete());
    } else if (message instanceof Message.Flush flush) {
      out.writeList(flush.decisions(), RecordCodec::writeDecision);
      out.writeClock(flush.horizon());
      out.writeList(flush.cuts(), TopologyCodec::writeCut);
    } else if (message instanceof Message.StateRequest request) {
      out.writeShard(request.shard());
      out.writeVarLong(request.request());
      out.writeVarLong(request.has().topology());
      out.writeLong(request.has().number());
    } else if (message instanceof Message.LowWaterMark mark) {
      out.writeVarLong(mark.below());
      writeTrouble(out, mark.disk());
    } else if (message instanceof Message.Watermarks watermarks) {
      out.writeList(watermarks.shards(), MessageCodec::writeWatermark);
    } else if (message instanceof Message.HorizonReport report) {
      out.writeClock(report.clock());
      out.writeClock(report.floor());
    } else if (message instanceof Message.TurnEnded ended) {
      out.writeShard(ended.shard());
      out.writeBytes(ended.key().bytes());
      out.writeVarLong(ended.request());
    } else if (message instanceof Message.NumbersAsked asked) {
      out.writeVarLong(asked.request());
      out.writeClock(asked.clock());
    } else {
      HotCodec.write(out, message);
    }
  }

  private static void writeTrouble(MessageWriter out, @Nullable DiskTrouble trouble) {
    out.writeFlag(trouble != null);
    if (trouble != null) {
      out.writeFlag(trouble.kind() == Kind.SLOW);
      out.writeText(trouble.words());
    }
  }

  private static @Nullable DiskTrouble readTrouble(MessageReader in) {
    return in.readFlag()
        ? new DiskTrouble(in.readFlag() ? Kind.SLOW : Kind.FULL, in.readText())
        : null;
  }

  private static void writeWatermark(MessageWriter out, Message.Watermark watermark) {
    out.writeShard(watermark.shard());
    out.writeVarLong(watermark.number());
  }

  private static Message.Watermark readWatermark(MessageReader in) {
    return new Message.Watermark(in.readShard(), in.readVarLong());
  }

  private static int typeOf(Message.InTopology message) {
    if (message instanceof Message.Prepare) {
      return PREPARE;
    }
    if (message instanceof Message.Decide) {
      return DECIDE;
    }
    if (message instanceof Message.Flush) {
      return FLUSH;
    }
    if (message instanceof Message.FlushDone) {
      return FLUSH_DONE;
    }
    if (message instanceof Message.StateRequest) {
      return STATE_REQUEST;
    }
    if (message instanceof Message.HorizonReport) {
      return HORIZON_REPORT;
    }
    if (message instanceof Message.LowWaterMark) {
      return MARK;
    }
    if (message instanceof Message.Watermarks) {
      return WATERMARKS;
    }
    if (message instanceof Message.TurnEnded) {
      return TURN_ENDED;
    }
    if (message instanceof Message.NumbersAsked) {
      return NUMBERS_ASKED;
    }
    return typeOfHot(message);
  }

  private static int typeOfHot(Message.InTopology message) {
    if (message instanceof Message.HotServed) {
      return HOT_SERVED;
    }
    if (message instanceof Message.HotPush) {
      return HOT_PUSH;
    }
    if (message instanceof Message.HotAsk) {
      return HOT_ASK;
    }
    throw Invariant.violation("a message without a type byte: %s", message);
  }

  private static void writeRest(MessageWriter out, Message message) {
    if (message instanceof Message.Vote vote) {
      out.writeByte(VOTE);
      out.writeTid(vote.tid());
      out.writeShard(vote.shard());
      out.writeVarLong(vote.topology());
      out.writeNullableClock(vote.clock());
      out.writeFlag(vote.refusal() != null);
      if (vote.refusal() != null) {
        RecordCodec.writeRefusal(out, vote.refusal());
      }
      out.writeVarLong(vote.complete());
    } else if (message instanceof Message.Ack ack) {
      out.writeByte(ACK);
      out.writeTid(ack.tid());
      out.writeShard(ack.shard());
      out.writeVarLong(ack.topology());
      out.writeFlag(ack.applied());
    } else if (message instanceof Message.Horizon horizon) {
      out.writeByte(HORIZON);
      out.writeClock(horizon.clock());
      out.writeClock(horizon.floor());
    } else if (message instanceof Message.NumbersTold told) {
      out.writeByte(NUMBERS_TOLD);
      out.writeVarLong(told.request());
      out.writeClock(told.given());
      out.writeShards(told.last());
    } else {
      throw Invariant.violation("a message without a type byte: %s", message);
    }
  }

  private static Message readMessage(MessageReader in, int level) {
    int type = in.readByte();
    return switch (type) {
      case READ ->
          new Message.Read(
              in.readVarLong(),
              in.readVarLong(),
              in.readShard(),
              ReadCodec.readQuery(in),
              in.readClock(),
              in.readShards(),
              level < NARROW_READS || in.readFlag());
      case READ_REPLY ->
          new Message.ReadReply(
              in.readVarLong(),
              in.readShard(),
              in.readClock(),
              ReadCodec.readAnswer(in),
              in.readFlag());
      case PREPARE -> new Message.Prepare(in.readVarLong(), RecordCodec.readRecord(in));
      case VOTE ->
          new Message.Vote(
              in.readTid(),
              in.readShard(),
              in.readVarLong(),
              in.readNullableClock(),
              in.readFlag() ? RecordCodec.readRefusal(in) : null,
              in.readVarLong());
      case DECIDE ->
          new Message.Decide(
              in.readVarLong(),
              in.readShard(),
              in.readFlag() ? RecordCodec.readRecord(in) : null,
              RecordCodec.readDecision(in),
              in.readFlag(),
              in.readVarLong());
      case ACK -> new Message.Ack(in.readTid(), in.readShard(), in.readVarLong(), in.readFlag());
      case FLUSH ->
          new Message.Flush(
              in.readVarLong(),
              in.readList(RecordCodec::readDecision),
              in.readClock(),
              in.readList(TopologyCodec::readCut));
      case FLUSH_DONE -> new Message.FlushDone(in.readVarLong());
      case STATE_REQUEST ->
          new Message.StateRequest(
              in.readVarLong(),
              in.readShard(),
              in.readVarLong(),
              new Message.UpTo(in.readVarLong(), in.readLong()));
      case STATE -> StateCodec.readState(in);
      case MARK -> new Message.LowWaterMark(in.readVarLong(), in.readVarLong(), readTrouble(in));
      case WATERMARKS ->
          new Message.Watermarks(in.readVarLong(), in.readList(MessageCodec::readWatermark));
      case TURN_ENDED ->
          new Message.TurnEnded(in.readVarLong(), in.readShard(), in.readKey(), in.readVarLong());
      case HORIZON_REPORT ->
          new Message.HorizonReport(in.readVarLong(), in.readClock(), in.readClock());
      case NUMBERS_ASKED ->
          new Message.NumbersAsked(in.readVarLong(), in.readVarLong(), in.readClock());
      case NUMBERS_TOLD ->
          new Message.NumbersTold(in.readVarLong(), in.readClock(), in.readShards());
      case HOT_SERVED -> HotCodec.readServed(in);
      case HOT_PUSH -> HotCodec.readPush(in);
      case HOT_ASK -> new Message.HotAsk(in.readVarLong(), in.readShard());
      case HORIZON -> new Message.Horizon(in.readClock(), in.readClock());
      default -> throw new MalformedBytesException("no type of message: " + type);
    };
  }
}
