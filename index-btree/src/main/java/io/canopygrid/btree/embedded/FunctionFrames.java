package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.MalformedBytesException;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireCodec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Calls between nodes, in the messages of the protocol for clients. */
final class FunctionFrames {
  private FunctionFrames() {}

  static byte[] encode(ClientMessage message) {
    byte[] frame = WireCodec.encode(0, message);
    return Arrays.copyOfRange(frame, WireCodec.LENGTH_BYTES, frame.length);
  }

  static Reply decodeReply(byte[] frame) {
    if (decode(frame) instanceof Reply reply) {
      return reply;
    }
    throw malformed("not an answer", null);
  }

  static Request.Execute decodeCall(byte[] frame) {
    if (decode(frame) instanceof Request.Execute call) {
      return call;
    }
    throw malformed("not a call", null);
  }

  private static ClientMessage decode(byte[] frame) {
    try {
      return WireCodec.decode(frame).message();
    } catch (MalformedBytesException e) {
      throw malformed(String.valueOf(e.getMessage()), e);
    }
  }

  private static CanopyException malformed(String what, @Nullable Throwable cause) {
    return new CanopyException(ErrorCode.PROTOCOL_ERROR, "another node sent " + what, cause);
  }
}
