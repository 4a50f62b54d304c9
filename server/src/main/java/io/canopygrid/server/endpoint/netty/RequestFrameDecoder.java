package io.canopygrid.server.endpoint.netty;

import io.canopygrid.wire.MalformedBytesException;
import io.canopygrid.wire.client.WireCodec;
import io.canopygrid.wire.client.WireLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Cuts the input into frames and decodes them. A frame's length is checked before the decoder waits
 * for the frame or allocates it; after the first wrong byte all input is discarded.
 */
final class RequestFrameDecoder extends ByteToMessageDecoder {
  private int lengthMax = WireLimits.FRAME_BYTES_UNKNOWN_MAX;
  private boolean broken;

  /** The time at which the first byte of the incomplete frame came; 0: no frame is incomplete. */
  private long beganNanos;

  /** A frame and its length in bytes. */
  record Received(WireCodec.Framed framed, int bytes) {}

  /** Takes frames of any allowed length from now on; called when the client has authenticated. */
  void allowAll() {
    lengthMax = WireLimits.FRAME_BYTES_MAX;
  }

  /** Whether a frame has been incomplete for longer than this. */
  boolean isSlow(long nanos, long nowNanos) {
    return beganNanos != 0 && nowNanos - beganNanos > nanos;
  }

  /** The time by the clock of the event loop, never 0. */
  private static long nowNanos(ChannelHandlerContext context) {
    return context.executor().ticker().nanoTime() | 1;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (broken) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (beganNanos == 0) {
      beganNanos = nowNanos(context);
    }
    if (in.readableBytes() < WireCodec.LENGTH_BYTES) {
      return;
    }
    try {
      int length = WireCodec.checkedLength(in.getInt(in.readerIndex()), lengthMax);
      if (in.readableBytes() - WireCodec.LENGTH_BYTES < length) {
        return;
      }
      byte[] frame = new byte[length];
      in.skipBytes(WireCodec.LENGTH_BYTES).readBytes(frame);
      beganNanos = in.isReadable() ? nowNanos(context) : 0;
      out.add(new Received(WireCodec.decode(frame), length));
    } catch (MalformedBytesException e) {
      broken = true;
      in.skipBytes(in.readableBytes());
      context.fireExceptionCaught(e);
    }
  }
}
