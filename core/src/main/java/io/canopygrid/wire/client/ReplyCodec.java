package io.canopygrid.wire.client;

import io.canopygrid.CommitState;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answers to requests about data. */
final class ReplyCodec {
  /** The states by their number on the wire. */
  private static final List<CommitState> STATES =
      List.of(CommitState.NOT_COMMITTED, CommitState.COMMITTED, CommitState.UNKNOWN);

  private ReplyCodec() {}

  static void write(ByteWriter out, Reply.Seen seen) {
    Parts.writeFlag(out, seen.moved());
    ClockBytes.write(out, seen.clock());
  }

  static Reply.Seen readSeen(ByteReader in) {
    boolean moved = Parts.readFlag(in);
    VectorClock clock = ClockBytes.read(in);
    return moved || clock.size() > 0 ? new Reply.Seen(moved, clock) : Reply.Seen.NOTHING;
  }

  private static CommitState readState(ByteReader in) {
    return STATES.get(Parts.choice(in, STATES.size()));
  }

  static void write(ByteWriter out, Reply.Outcome m) {
    out.writeByte(STATES.indexOf(m.state()));
    ClockBytes.write(out, m.seen());
    Parts.writeOptional(out, m.result());
  }

  static Reply.Outcome readOutcome(ByteReader in) {
    CommitState state = readState(in);
    VectorClock seen = ClockBytes.read(in);
    return new Reply.Outcome(state, seen, Parts.readOptional(in));
  }

  static void write(ByteWriter out, Reply.Value m) {
    write(out, m.seen());
    Parts.writeOptional(out, m.value());
  }

  static Reply.Value readValue(ByteReader in) {
    Reply.Seen seen = readSeen(in);
    return new Reply.Value(seen, Parts.readOptional(in));
  }

  static void write(ByteWriter out, Reply.Page m) {
    write(out, m.seen());
    Parts.writeFlag(out, m.end());
    Parts.writeList(
        out, m.entries(), (o, entry) -> o.writeBytes(entry.key()).writeBytes(entry.value()));
  }

  static Reply.Page readPage(ByteReader in) {
    Reply.Seen seen = readSeen(in);
    boolean end = Parts.readFlag(in);
    return new Reply.Page(seen, end, Parts.readList(in, 2, ReplyCodec::readEntry));
  }

  private static Reply.Entry readEntry(ByteReader in) {
    byte[] key = in.readBytes();
    return new Reply.Entry(key, in.readBytes());
  }

  static void write(ByteWriter out, Reply.Count m) {
    write(out, m.seen());
    out.writeVarLong(m.count());
  }

  static Reply.Count readCount(ByteReader in) {
    Reply.Seen seen = readSeen(in);
    return new Reply.Count(seen, Parts.readLong(in));
  }

  static void write(ByteWriter out, Reply.Done m) {
    write(out, m.seen());
  }

  static Reply.Done readDone(ByteReader in) {
    return new Reply.Done(readSeen(in));
  }

  static void write(ByteWriter out, Reply.Failure m) {
    out.writeVarLong(m.code());
    Parts.writeFlag(out, m.retryable());
    out.writeByte(STATES.indexOf(m.commitState()));
    String id = m.transactionId();
    Parts.writeOptional(out, id == null ? null : id.getBytes(StandardCharsets.UTF_8));
    out.writeText(m.detail());
    Parts.writeList(out, m.facts(), (o, fact) -> o.writeText(fact.name()).writeText(fact.value()));
  }

  static Reply.Failure readFailure(ByteReader in) {
    int code = Parts.readInt(in);
    boolean retryable = Parts.readFlag(in);
    CommitState state = readState(in);
    @Nullable String id = Parts.readFlag(in) ? Parts.readName(in) : null;
    String detail = in.readText();
    return new Reply.Failure(
        code, retryable, state, id, detail, Parts.readList(in, 2, ReplyCodec::readFact));
  }

  private static Reply.Fact readFact(ByteReader in) {
    String name = Parts.readName(in);
    return new Reply.Fact(name, in.readText());
  }
}
