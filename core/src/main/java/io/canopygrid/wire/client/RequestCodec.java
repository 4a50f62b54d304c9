package io.canopygrid.wire.client;

import io.canopygrid.ReadFrom;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.CommitIdBytes;
import io.canopygrid.wire.MalformedBytesException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests about data. */
final class RequestCodec {
  /** The modes by their number on the wire; {@code COPIES} is ordered likewise. */
  private static final List<Step.Mode> MODES = List.of(Step.Mode.values());

  private static final List<ReadFrom> COPIES = List.of(ReadFrom.values());

  /** The fewest bytes of a {@link Step.Write}. */
  private static final int WRITE_BYTES = 3;

  private RequestCodec() {}

  private static void write(ByteWriter out, Step step) {
    out.writeInt(step.transaction());
    Parts.writeFlag(out, step.begin() != null);
    if (step.begin() != null) {
      write(out, step.begin());
    }
    Parts.writeList(
        out,
        step.writes(),
        (o, write) -> {
          o.writeVarLong(write.index()).writeBytes(write.key());
          Parts.writeOptional(o, write.value());
        });
    Parts.writeFlag(out, step.last());
  }

  private static Step readStep(ByteReader in) {
    int transaction = in.readInt();
    Step.Begin begin = Parts.readFlag(in) ? readBegin(in) : null;
    List<Step.Write> writes = Parts.readList(in, WRITE_BYTES, RequestCodec::readWrite);
    return new Step(transaction, begin, writes, Parts.readFlag(in));
  }

  /**
   * The number of a mode says what follows: with a token it is greater by that of modes, with a
   * place in a trace by twice that.
   */
  static void write(ByteWriter out, Step.Begin begin) {
    boolean hasToken = begin.token().size() > 0;
    boolean hasTrace = !begin.traceParent().isEmpty();
    int kind = (hasToken ? 1 : 0) + (hasTrace ? 2 : 0);
    out.writeByte(MODES.indexOf(begin.mode()) + kind * MODES.size());
    out.writeByte(COPIES.indexOf(begin.readFrom()));
    out.writeVarLong(begin.timeoutMillis()).writeText(begin.label()).writeText(begin.snapshot());
    ClockBytes.write(out, begin.after());
    if (hasToken) {
      ClockBytes.write(out, begin.token());
    }
    if (hasTrace) {
      out.writeText(begin.traceParent());
    }
  }

  static Step.Begin readBegin(ByteReader in) {
    int number = Parts.choice(in, 4 * MODES.size());
    int kind = number / MODES.size();
    Step.Mode mode = MODES.get(number % MODES.size());
    ReadFrom readFrom = COPIES.get(Parts.choice(in, COPIES.size()));
    long timeoutMillis = Parts.readLong(in);
    String label = Parts.readName(in);
    String snapshot = Parts.readName(in);
    VectorClock after = ClockBytes.read(in);
    VectorClock token = kind % 2 == 0 ? VectorClock.ZERO : readToken(in);
    String trace = kind < 2 ? "" : readTraceParent(in);
    return new Step.Begin(mode, readFrom, timeoutMillis, label, snapshot, after, token, trace);
  }

  private static VectorClock readToken(ByteReader in) {
    VectorClock token = ClockBytes.read(in);
    if (token.size() == 0) {
      throw new MalformedBytesException("a token that is there must not be empty");
    }
    return token;
  }

  /** Its reader makes sense of it: a place that is malformed is no error, but ignored. */
  private static String readTraceParent(ByteReader in) {
    String text = in.readText();
    if (text.isEmpty() || text.length() > WireLimits.TRACE_PARENT_MAX) {
      throw new MalformedBytesException(
          "a place in a trace has 1 to "
              + WireLimits.TRACE_PARENT_MAX
              + " characters: "
              + text.length());
    }
    return text;
  }

  private static Step.Write readWrite(ByteReader in) {
    int index = Parts.readInt(in);
    byte[] key = in.readBytes();
    return new Step.Write(index, key, Parts.readOptional(in));
  }

  static void write(ByteWriter out, Request.AskRoutes m) {
    out.writeVarLong(m.index()).writeLong(m.knownVersion());
  }

  static Request.AskRoutes readAskRoutes(ByteReader in) {
    int index = Parts.readInt(in);
    return new Request.AskRoutes(index, in.readLong());
  }

  static void write(ByteWriter out, Request.LookUp m) {
    CommitIdBytes.write(out, m.commit());
  }

  static Request.LookUp readLookUp(ByteReader in) {
    return new Request.LookUp(CommitIdBytes.read(in));
  }

  static void write(ByteWriter out, Request.Get m) {
    write(out, m.step());
    out.writeVarLong(m.index()).writeBytes(m.key());
  }

  static Request.Get readGet(ByteReader in) {
    Step step = readStep(in);
    int index = Parts.readInt(in);
    return new Request.Get(step, index, in.readBytes());
  }

  static void write(ByteWriter out, Request.GetDefinitions m) {
    write(out, m.step());
    out.writeVarLong(m.definitions()).writeVarLong(m.rows());
  }

  static Request.GetDefinitions readGetDefinitions(ByteReader in) {
    Step step = readStep(in);
    int definitions = Parts.readInt(in);
    return new Request.GetDefinitions(step, definitions, Parts.readInt(in));
  }

  static void write(ByteWriter out, Request.Scan m) {
    write(out, m.step());
    out.writeVarLong(m.index());
    Parts.writeRange(out, m.range());
    Parts.writeFlag(out, m.reverse());
    Parts.writeFlag(out, m.keysOnly());
    out.writeVarLong(m.limit()).writeVarLong(m.pageEntries());
    out.writeVarLong(m.pageBytes()).writeVarLong(m.credits());
  }

  static Request.Scan readScan(ByteReader in) {
    Step step = readStep(in);
    int index = Parts.readInt(in);
    KeyRange range = Parts.readRange(in);
    boolean reverse = Parts.readFlag(in);
    boolean keysOnly = Parts.readFlag(in);
    long limit = Parts.readLong(in);
    int pageEntries = Parts.readInt(in);
    int pageBytes = Parts.readInt(in);
    return new Request.Scan(
        step, index, range, reverse, keysOnly, limit, pageEntries, pageBytes, Parts.readInt(in));
  }

  static void write(ByteWriter out, Request.More m) {
    write(out, m.step());
    out.writeVarLong(m.credits());
  }

  static Request.More readMore(ByteReader in) {
    Step step = readStep(in);
    return new Request.More(step, Parts.readInt(in));
  }

  static void write(ByteWriter out, Request.CountRange m) {
    write(out, m.step());
    out.writeVarLong(m.index());
    Parts.writeRange(out, m.range());
  }

  static Request.CountRange readCountRange(ByteReader in) {
    Step step = readStep(in);
    int index = Parts.readInt(in);
    return new Request.CountRange(step, index, Parts.readRange(in));
  }

  static void write(ByteWriter out, Request.RemoveRange m) {
    write(out, m.step());
    out.writeVarLong(m.index());
    Parts.writeRange(out, m.range());
  }

  static Request.RemoveRange readRemoveRange(ByteReader in) {
    Step step = readStep(in);
    int index = Parts.readInt(in);
    return new Request.RemoveRange(step, index, Parts.readRange(in));
  }

  static void write(ByteWriter out, Request.Stage m) {
    write(out, m.step());
  }

  static Request.Stage readStage(ByteReader in) {
    return new Request.Stage(readStep(in));
  }

  static void write(ByteWriter out, Request.Commit m) {
    write(out, m.step());
    CommitId commit = m.commit();
    Parts.writeFlag(out, commit != null);
    if (commit != null) {
      CommitIdBytes.write(out, commit);
    }
    Parts.writeList(out, m.forget(), CommitIdBytes::write);
  }

  static Request.Commit readCommit(ByteReader in) {
    Step step = readStep(in);
    @Nullable CommitId commit = Parts.readFlag(in) ? CommitIdBytes.read(in) : null;
    List<CommitId> forget = Parts.readList(in, CommitIdBytes.BYTES_MIN, CommitIdBytes::read);
    return new Request.Commit(step, commit, forget);
  }

  static void write(ByteWriter out, Request.End m) {
    out.writeInt(m.transaction());
  }

  static Request.End readEnd(ByteReader in) {
    return new Request.End(in.readInt());
  }
}
