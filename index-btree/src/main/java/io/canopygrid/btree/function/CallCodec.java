package io.canopygrid.btree.function;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Mode;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.CommitIdBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls between nodes and their answers as bytes, in the frame of {@link NodeBytes}. An answer
 * begins with its kind.
 */
final class CallCodec {
  private static final int RESULT = 0;
  private static final int FAILURE = 1;

  /** By their number in the bytes, as are the next. */
  private static final List<Mode> MODES = List.of(Mode.values());

  private static final List<ReadFrom> COPIES = List.of(ReadFrom.values());
  private static final List<CommitState> STATES = List.of(CommitState.values());

  /** The fewest bytes of a fact: the lengths of its name and of its value. */
  private static final int FACT_BYTES_MIN = 2;

  private CallCodec() {}

  static byte[] encode(NamedCall call) {
    ByteWriter out = NodeBytes.begin(128 + call.arguments().length);
    out.writeText(call.function()).writeBytes(call.arguments());
    NamedCall.Place place = call.place();
    writeFlag(out, place != null);
    if (place != null) {
      out.writeVarLong(place.index()).writeBytes(place.key());
    }
    NamedCall.How how = call.how();
    out.writeVarLong(MODES.indexOf(how.mode())).writeVarLong(COPIES.indexOf(how.readFrom()));
    out.writeVarLong(how.timeoutMillis()).writeText(how.label());
    ClockBytes.write(out, how.after());
    out.writeVarLong(call.attemptsMax());
    CommitIdBytes.write(out, call.commit());
    out.writeVarLong(call.forget().size());
    call.forget().forEach(name -> CommitIdBytes.write(out, name));
    return out.toBytes();
  }

  static NamedCall decodeCall(byte[] bytes) {
    return NodeBytes.decode(bytes, CallCodec::readCall);
  }

  private static NamedCall readCall(ByteReader in) {
    String function = in.readText();
    byte[] arguments = in.readBytes();
    NamedCall.@Nullable Place place = readFlag(in) ? readPlace(in) : null;
    NamedCall.How how = readHow(in);
    int attemptsMax = in.readCount(Integer.MAX_VALUE);
    CommitId commit = CommitIdBytes.read(in);
    List<CommitId> forget = new ArrayList<>();
    for (int left = in.readCount(in.remaining() / CommitIdBytes.BYTES_MIN); left > 0; left--) {
      forget.add(CommitIdBytes.read(in));
    }
    return new NamedCall(function, arguments, place, how, attemptsMax, commit, forget);
  }

  private static NamedCall.Place readPlace(ByteReader in) {
    int index = in.readCount(Integer.MAX_VALUE);
    return new NamedCall.Place(index, in.readBytes());
  }

  private static NamedCall.How readHow(ByteReader in) {
    Mode mode = MODES.get(in.readCount(MODES.size() - 1));
    ReadFrom readFrom = COPIES.get(in.readCount(COPIES.size() - 1));
    long timeoutMillis = in.readVarLong();
    String label = in.readText();
    return new NamedCall.How(mode, readFrom, timeoutMillis, label, ClockBytes.read(in));
  }

  static byte[] encode(CallAnswer answer) {
    ByteWriter out = NodeBytes.begin(128);
    if (answer instanceof CallAnswer.Result result) {
      ClockBytes.write(out.writeByte(RESULT), result.clock());
      out.writeBytes(result.bytes()).writeVarLong(result.remoteRequests());
    } else if (answer instanceof CallAnswer.Failure failure) {
      write(out.writeByte(FAILURE), failure.error());
    }
    return out.toBytes();
  }

  private static void write(ByteWriter out, CanopyException error) {
    out.writeVarLong(error.code().number()).writeVarLong(STATES.indexOf(error.commitState()));
    String transaction = error.transactionId();
    writeFlag(out, transaction != null);
    if (transaction != null) {
      out.writeText(transaction);
    }
    out.writeText(error.detail()).writeVarLong(error.facts().size());
    error.facts().forEach((name, value) -> out.writeText(name).writeText(value));
  }

  static CallAnswer decodeAnswer(byte[] bytes) {
    return NodeBytes.decode(bytes, CallCodec::readAnswer);
  }

  private static CallAnswer readAnswer(ByteReader in) {
    if (in.readCount(FAILURE) == FAILURE) {
      return new CallAnswer.Failure(readError(in));
    }
    VectorClock clock = ClockBytes.read(in);
    byte[] result = in.readBytes();
    return new CallAnswer.Result(result, clock, in.readCount(Integer.MAX_VALUE));
  }

  /** A code that a newer release has is {@link ErrorCode#INTERNAL_ERROR} here. */
  private static CanopyException readError(ByteReader in) {
    int code = in.readCount(Integer.MAX_VALUE);
    CommitState state = STATES.get(in.readCount(STATES.size() - 1));
    String transaction = readFlag(in) ? in.readText() : null;
    String detail = in.readText();
    Map<String, String> facts = new TreeMap<>();
    for (int left = in.readCount(in.remaining() / FACT_BYTES_MIN); left > 0; left--) {
      String name = in.readText();
      facts.put(name, in.readText());
    }
    Optional<ErrorCode> known = ErrorCode.find(Integer.toString(code));
    return new CanopyException(
        known.orElse(ErrorCode.INTERNAL_ERROR),
        known.isPresent() ? detail : "CNPY-" + code + ": " + detail,
        state,
        transaction,
        null,
        facts);
  }

  private static void writeFlag(ByteWriter out, boolean flag) {
    out.writeByte(flag ? 1 : 0);
  }

  private static boolean readFlag(ByteReader in) {
    return in.readCount(1) == 1;
  }
}
