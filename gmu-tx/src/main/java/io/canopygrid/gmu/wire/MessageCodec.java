package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.protocol.Message;
import java.nio.ByteBuffer;

/** Messages to bytes and back; the package's page says how. Stateless and thread-safe. */
public final class MessageCodec {
  /** The first byte of every message. Nodes of different versions do not understand each other. */
  public static final int PROTOCOL_VERSION = 1;

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

  private MessageCodec() {}

  /** The message's bytes: from the buffer's position to its limit, with a backing array. */
  public static ByteBuffer encode(Message message) {
    WireWriter out = new WireWriter();
    out.oneByte(PROTOCOL_VERSION);
    if (message instanceof Message.Read || message instanceof Message.ReadReply) {
      writeRead(out, message);
    } else if (message instanceof Message.State state) {
      out.oneByte(STATE);
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
   * @throws WireException where the bytes are no message, or of another protocol version
   */
  public static Message decode(byte[] bytes, int offset, int length) {
    WireReader in = new WireReader(bytes, offset, length);
    int version = in.oneByte();
    if (version != PROTOCOL_VERSION) {
      throw new WireException(
          "protocol version %d, this node speaks %d; all nodes of a grid run the same release"
              .formatted(version, PROTOCOL_VERSION));
    }
    Message message = readMessage(in);
    in.expectEnd();
    return message;
  }

  private static void writeRead(WireWriter out, Message message) {
    if (message instanceof Message.Read read) {
      out.oneByte(READ);
      out.varint(read.topology());
      out.varint(read.request());
      out.shard(read.shard());
      ReadCodec.writeQuery(out, read.query());
      out.clock(read.clock());
      out.shards(read.hasRead());
    } else if (message instanceof Message.ReadReply reply) {
      out.oneByte(READ_REPLY);
      out.varint(reply.request());
      out.shard(reply.shard());
      out.clock(reply.clock());
      ReadCodec.writeAnswer(out, reply.answer());
      out.bool(reply.inTurn());
    }
  }

  private static void writeInTopology(WireWriter out, Message.InTopology message) {
    out.oneByte(typeOf(message));
    out.varint(message.topology());
    if (message instanceof Message.Prepare prepare) {
      RecordCodec.writeRecord(out, prepare.record());
    } else if (message instanceof Message.Decide decide) {
      out.shard(decide.shard());
      out.bool(decide.record() != null);
      if (decide.record() != null) {
        RecordCodec.writeRecord(out, decide.record());
      }
      RecordCodec.writeDecision(out, decide.decision());
      out.bool(decide.stable());
      out.varint(decide.complete());
    } else if (message instanceof Message.Flush flush) {
      out.list(flush.decisions(), RecordCodec::writeDecision);
      out.clock(flush.horizon());
    } else if (message instanceof Message.StateRequest request) {
      out.shard(request.shard());
      out.varint(request.request());
    } else if (message instanceof Message.Mark mark) {
      out.varint(mark.below());
    } else if (message instanceof Message.Watermarks watermarks) {
      out.list(watermarks.shards(), MessageCodec::writeWatermark);
    } else if (message instanceof Message.HorizonReport report) {
      out.clock(report.clock());
      out.clock(report.floor());
    } else if (message instanceof Message.TurnEnded ended) {
      out.shard(ended.shard());
      out.bytes(ended.key().bytes());
      out.varint(ended.request());
    }
  }

  private static void writeWatermark(WireWriter out, Message.Watermark watermark) {
    out.shard(watermark.shard());
    out.varint(watermark.number());
  }

  private static Message.Watermark readWatermark(WireReader in) {
    return new Message.Watermark(in.shard(), in.varint());
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
    if (message instanceof Message.Mark) {
      return MARK;
    }
    if (message instanceof Message.Watermarks) {
      return WATERMARKS;
    }
    if (message instanceof Message.TurnEnded) {
      return TURN_ENDED;
    }
    throw Invariant.violation("a message without a type byte: %s", message);
  }

  private static void writeRest(WireWriter out, Message message) {
    if (message instanceof Message.Vote vote) {
      out.oneByte(VOTE);
      out.tid(vote.tid());
      out.shard(vote.shard());
      out.varint(vote.topology());
      out.nullableClock(vote.clock());
      out.bool(vote.refusal() != null);
      if (vote.refusal() != null) {
        RecordCodec.writeRefusal(out, vote.refusal());
      }
      out.varint(vote.complete());
    } else if (message instanceof Message.Ack ack) {
      out.oneByte(ACK);
      out.tid(ack.tid());
      out.shard(ack.shard());
      out.varint(ack.topology());
      out.bool(ack.applied());
    } else if (message instanceof Message.Horizon horizon) {
      out.oneByte(HORIZON);
      out.clock(horizon.clock());
      out.clock(horizon.floor());
    } else {
      throw Invariant.violation("a message without a type byte: %s", message);
    }
  }

  private static Message readMessage(WireReader in) {
    int type = in.oneByte();
    return switch (type) {
      case READ ->
          new Message.Read(
              in.varint(),
              in.varint(),
              in.shard(),
              ReadCodec.readQuery(in),
              in.clock(),
              in.shards());
      case READ_REPLY ->
          new Message.ReadReply(
              in.varint(), in.shard(), in.clock(), ReadCodec.readAnswer(in), in.bool());
      case PREPARE -> new Message.Prepare(in.varint(), RecordCodec.readRecord(in));
      case VOTE ->
          new Message.Vote(
              in.tid(),
              in.shard(),
              in.varint(),
              in.nullableClock(),
              in.bool() ? RecordCodec.readRefusal(in) : null,
              in.varint());
      case DECIDE ->
          new Message.Decide(
              in.varint(),
              in.shard(),
              in.bool() ? RecordCodec.readRecord(in) : null,
              RecordCodec.readDecision(in),
              in.bool(),
              in.varint());
      case ACK -> new Message.Ack(in.tid(), in.shard(), in.varint(), in.bool());
      case FLUSH -> new Message.Flush(in.varint(), in.list(RecordCodec::readDecision), in.clock());
      case FLUSH_DONE -> new Message.FlushDone(in.varint());
      case STATE_REQUEST -> new Message.StateRequest(in.varint(), in.shard(), in.varint());
      case STATE -> StateCodec.readState(in);
      case MARK -> new Message.Mark(in.varint(), in.varint());
      case WATERMARKS -> new Message.Watermarks(in.varint(), in.list(MessageCodec::readWatermark));
      case TURN_ENDED -> new Message.TurnEnded(in.varint(), in.shard(), in.key(), in.varint());
      case HORIZON_REPORT -> new Message.HorizonReport(in.varint(), in.clock(), in.clock());
      case HORIZON -> new Message.Horizon(in.clock(), in.clock());
      default -> throw new WireException("no type of message: " + type);
    };
  }
}
