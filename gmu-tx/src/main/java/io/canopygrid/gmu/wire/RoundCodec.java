package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.Losses;
import io.canopygrid.gmu.recovery.RoundMessage;
import io.canopygrid.gmu.recovery.RoundMessage.Agrees;
import io.canopygrid.gmu.recovery.RoundMessage.Promises;
import io.canopygrid.gmu.recovery.RoundMessage.Proposal;
import io.canopygrid.gmu.recovery.RoundMessage.Proposes;
import io.canopygrid.gmu.recovery.RoundMessage.Tells;
import io.canopygrid.gmu.recovery.Standing;
import io.canopygrid.wire.MalformedBytesException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The messages by which nodes agree how to found their grid from their disks, to bytes and back.
 * The first byte is the kind. Stateless and thread-safe.
 */
public final class RoundCodec {
  /** The kinds of host messages, of which no other message of hosts has one. */
  private static final int TELLS = 80;

  private static final int PROPOSES = 81;
  private static final int PROMISES = 82;
  private static final int AGREES = 83;

  private RoundCodec() {}

  /** Whether bytes with this first one are such a message. */
  public static boolean isKind(byte first) {
    return first >= TELLS && first <= AGREES;
  }

  /** The bytes of words on lost disks. */
  public static byte[] encode(Losses losses) {
    MessageWriter out = new MessageWriter();
    writeLosses(out, losses);
    return out.toBytes();
  }

  /**
   * The words of bytes that were encoded.
   *
   * @throws MalformedBytesException the bytes are no such words
   */
  public static Losses decodeLosses(byte[] bytes) {
    MessageReader in = new MessageReader(bytes, 0, bytes.length);
    Losses losses = readLosses(in);
    in.end();
    return losses;
  }

  /** The bytes of a message. */
  public static byte[] encode(RoundMessage message) {
    MessageWriter out = new MessageWriter();
    if (message instanceof Tells tells) {
      out.writeByte(TELLS);
      writeStanding(out, tells.standing());
    } else if (message instanceof Proposes proposes) {
      out.writeByte(PROPOSES);
      writeProposal(out, proposes.proposal());
    } else if (message instanceof Promises promises) {
      out.writeByte(PROMISES);
      out.writeVarLong(promises.topology());
    } else if (message instanceof Agrees agrees) {
      out.writeByte(AGREES);
      writeProposal(out, agrees.proposal());
    }
    return out.toBytes();
  }

  /**
   * The message of bytes that were encoded.
   *
   * @throws MalformedBytesException the bytes are no such message
   */
  public static RoundMessage decode(byte[] bytes, int offset, int length) {
    MessageReader in = new MessageReader(bytes, offset, length);
    int kind = in.readByte();
    RoundMessage message =
        switch (kind) {
          case TELLS -> new Tells(readStanding(in));
          case PROPOSES -> new Proposes(readProposal(in));
          case PROMISES -> new Promises(in.readVarLong());
          case AGREES -> new Agrees(readProposal(in));
          default -> throw new MalformedBytesException("no message of a round: kind " + kind);
        };
    in.end();
    return message;
  }

  private static void writeStanding(MessageWriter out, Standing standing) {
    out.writeLong(standing.disk().value());
    writeGrid(out, standing.grid());
    TopologyCodec.writeNodes(out, standing.users());
    out.writeFlag(standing.installed() != null);
    if (standing.installed() != null) {
      TopologyCodec.writeTopology(out, standing.installed());
    }
    out.writeFlag(standing.over() != null);
    if (standing.over() != null) {
      out.writeList(standing.over(), TopologyCodec::writeTopology);
    }
    out.writeList(new TreeSet<>(standing.complete()).stream().toList(), MessageWriter::writeShard);
    out.writeClock(standing.seen());
    out.writeVarLong(standing.promised());
    writeLosses(out, standing.losses());
    out.writeClock(standing.upTo());
    out.writeClock(standing.horizon());
    out.writeFlag(standing.mayLack());
    TopologyCodec.writeNullableCut(out, standing.cut());
  }

  private static Standing readStanding(MessageReader in) {
    return new Standing(
        readDisk(in),
        readGrid(in),
        TopologyCodec.readNodes(in),
        in.readFlag() ? TopologyCodec.readTopology(in) : null,
        in.readFlag() ? in.readList(TopologyCodec::readTopology) : null,
        Set.copyOf(in.readList(MessageReader::readShard)),
        in.readClock(),
        in.readVarLong(),
        readLosses(in),
        in.readClock(),
        in.readClock(),
        in.readFlag(),
        TopologyCodec.readNullableCut(in));
  }

  private static void writeLosses(MessageWriter out, Losses losses) {
    out.writeVarLong(losses.words());
    TreeMap<NodeId, Long> members = new TreeMap<>(losses.members());
    TopologyCodec.writeNodes(out, List.copyOf(members.keySet()));
    members.values().forEach(out::writeVarLong);
    out.writeVarLong(losses.topology());
    out.writeList(losses.shards().stream().sorted().toList(), MessageWriter::writeShard);
  }

  private static Losses readLosses(MessageReader in) {
    long words = in.readVarLong();
    Map<NodeId, Long> members = new HashMap<>();
    for (NodeId member : TopologyCodec.readNodes(in)) {
      members.put(member, in.readVarLong());
    }
    return new Losses(
        words, members, in.readVarLong(), Set.copyOf(in.readList(MessageReader::readShard)));
  }

  private static DiskId readDisk(MessageReader in) {
    return new DiskId(in.readLong());
  }

  private static void writeGrid(MessageWriter out, @Nullable UUID grid) {
    out.writeFlag(grid != null);
    if (grid != null) {
      out.writeLong(grid.getMostSignificantBits());
      out.writeLong(grid.getLeastSignificantBits());
    }
  }

  private static @Nullable UUID readGrid(MessageReader in) {
    return in.readFlag() ? new UUID(in.readLong(), in.readLong()) : null;
  }

  private static void writeProposal(MessageWriter out, Proposal proposal) {
    out.writeVarLong(proposal.topology());
    out.writeLong(proposal.grid().getMostSignificantBits());
    out.writeLong(proposal.grid().getLeastSignificantBits());
    TopologyCodec.writeNodes(out, proposal.members());
    out.writeList(proposal.owners(), TopologyCodec::writeNodes);
    out.writeList(proposal.over(), TopologyCodec::writeTopology);
    out.writeClock(proposal.seen());
    writeLosses(out, proposal.losses());
    TopologyCodec.writeNullableCut(out, proposal.cut());
  }

  private static Proposal readProposal(MessageReader in) {
    return new Proposal(
        in.readVarLong(),
        new UUID(in.readLong(), in.readLong()),
        TopologyCodec.readNodes(in),
        in.readList(TopologyCodec::readNodes),
        in.readList(TopologyCodec::readTopology),
        in.readClock(),
        readLosses(in),
        TopologyCodec.readNullableCut(in));
  }
}
