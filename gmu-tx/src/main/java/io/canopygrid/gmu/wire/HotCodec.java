package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.message.Message;

/** The bytes of the messages of hot entries. */
final class HotCodec {
  private HotCodec() {}

  /** Writes a message behind its topology. */
  static void write(MessageWriter out, Message.InTopology message) {
    if (message instanceof Message.HotServed served) {
      out.writeList(served.reads(), HotCodec::writeKeyReads);
    } else if (message instanceof Message.HotPush push) {
      out.writeShard(push.shard());
      out.writeVarLong(push.number());
      out.writeFlag(push.begins());
      out.writeVarLong(push.upTo());
      out.writeClock(push.horizon());
      out.writeList(push.changed(), StateCodec::writeKeyVersions);
      out.writeList(push.gone(), (to, key) -> to.writeBytes(key.bytes()));
    } else if (message instanceof Message.HotAsk ask) {
      out.writeShard(ask.shard());
    } else {
      Invariant.holds(message instanceof Message.FlushDone, "without bytes: %s", message);
    }
  }

  static Message.HotServed readServed(MessageReader in) {
    return new Message.HotServed(in.readVarLong(), in.readList(HotCodec::readKeyReads));
  }

  static Message.HotPush readPush(MessageReader in) {
    return new Message.HotPush(
        in.readVarLong(),
        in.readShard(),
        in.readVarLong(),
        in.readFlag(),
        in.readVarLong(),
        in.readClock(),
        in.readList(StateCodec::readKeyVersions),
        in.readList(MessageReader::readKey));
  }

  private static void writeKeyReads(MessageWriter out, Message.KeyReads each) {
    out.writeBytes(each.key().bytes());
    out.writeVarLong(each.reads());
  }

  private static Message.KeyReads readKeyReads(MessageReader in) {
    return new Message.KeyReads(in.readKey(), in.readVarLong());
  }
}
