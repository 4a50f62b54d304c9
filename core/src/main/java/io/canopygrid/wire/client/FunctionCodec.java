package io.canopygrid.wire.client;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.CommitIdBytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages about functions. */
final class FunctionCodec {
  private FunctionCodec() {}

  static void write(ByteWriter out, Request.Execute m) {
    RequestCodec.write(out, m.begin());
    out.writeVarLong(m.attemptsMax()).writeText(m.function());
    Request.Place place = m.place();
    Parts.writeFlag(out, place != null);
    if (place != null) {
      out.writeVarLong(place.index()).writeBytes(place.key());
    }
    out.writeBytes(m.arguments());
    CommitIdBytes.write(out, m.commit());
    Parts.writeList(out, m.forget(), CommitIdBytes::write);
  }

  static Request.Execute readExecute(ByteReader in) {
    Step.Begin begin = RequestCodec.readBegin(in);
    int attemptsMax = Parts.readInt(in);
    String function = Parts.readName(in);
    Request.@Nullable Place place = Parts.readFlag(in) ? readPlace(in) : null;
    byte[] arguments = in.readBytes();
    CommitId commit = CommitIdBytes.read(in);
    List<CommitId> forget = Parts.readList(in, CommitIdBytes.BYTES_MIN, CommitIdBytes::read);
    return new Request.Execute(begin, attemptsMax, function, place, arguments, commit, forget);
  }

  private static Request.Place readPlace(ByteReader in) {
    int index = Parts.readInt(in);
    return new Request.Place(index, in.readBytes());
  }

  static void write(ByteWriter out, Reply.Result m) {
    ReplyCodec.write(out, m.seen());
    out.writeBytes(m.result()).writeVarLong(m.remoteRequests());
  }

  static Reply.Result readResult(ByteReader in) {
    Reply.Seen seen = ReplyCodec.readSeen(in);
    byte[] result = in.readBytes();
    return new Reply.Result(seen, result, Parts.readInt(in));
  }
}
