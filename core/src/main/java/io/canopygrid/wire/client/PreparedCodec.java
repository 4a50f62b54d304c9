package io.canopygrid.wire.client;

import io.canopygrid.BranchId;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.PreparedTransaction.State;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.time.Instant;
import java.util.List;

/** The messages about prepared transactions. */
final class PreparedCodec {
  /** The fewest bytes of a prepared transaction. */
  private static final int TRANSACTION_BYTES = 19;

  private static final List<State> STATES =
      List.of(State.IN_DOUBT, State.COMMITTED_BY_HAND, State.ROLLED_BACK_BY_HAND);

  private PreparedCodec() {}

  static void write(ByteWriter out, Request.ResolvePrepared m) {
    write(out, m.id());
    Parts.writeFlag(out, m.commits());
  }

  static Request.ResolvePrepared readResolve(ByteReader in) {
    BranchId id = readId(in);
    return new Request.ResolvePrepared(id, Parts.readFlag(in));
  }

  static void write(ByteWriter out, Reply.Prepared m) {
    Parts.writeList(out, m.transactions(), PreparedCodec::write);
  }

  private static void write(ByteWriter out, PreparedTransaction one) {
    write(out, one.id());
    out.writeByte(STATES.indexOf(one.state())).writeLong(one.since().toEpochMilli());
    out.writeText(one.label());
    Parts.writeList(out, one.indexes(), ByteWriter::writeText);
    out.writeVarLong(one.writes());
  }

  static Reply.Prepared readPrepared(ByteReader in) {
    return new Reply.Prepared(Parts.readList(in, TRANSACTION_BYTES, PreparedCodec::readOne));
  }

  private static PreparedTransaction readOne(ByteReader in) {
    BranchId id = readId(in);
    State state = STATES.get(Parts.choice(in, STATES.size()));
    Instant since = Instant.ofEpochMilli(in.readLong());
    String label = Parts.readName(in);
    List<String> indexes = Parts.readList(in, 1, Parts::readName);
    return new PreparedTransaction(id, state, since, label, indexes, Parts.readInt(in));
  }

  private static void write(ByteWriter out, BranchId id) {
    out.writeInt(id.getFormatId());
    out.writeBytes(id.getGlobalTransactionId()).writeBytes(id.getBranchQualifier());
  }

  private static BranchId readId(ByteReader in) {
    int format = in.readInt();
    byte[] global = in.readBytes();
    byte[] branch = in.readBytes();
    try {
      return BranchId.of(format, global, branch);
    } catch (IllegalArgumentException e) {
      throw new MalformedBytesException("no id of a branch: " + e.getMessage());
    }
  }
}
