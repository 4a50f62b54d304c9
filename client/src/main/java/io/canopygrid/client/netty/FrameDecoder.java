package io.canopygrid.client.netty;

import io.canopygrid.wire.client.WireCodec;
import io.canopygrid.wire.client.WireLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/** Cuts what a server sends into frames and decodes them. */
final class FrameDecoder extends ByteToMessageDecoder {
  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < WireCodec.LENGTH_BYTES) {
      return;
    }
    int length = WireCodec.checkedLength(in.getInt(in.readerIndex()), WireLimits.FRAME_BYTES_MAX);
    if (in.readableBytes() < WireCodec.LENGTH_BYTES + length) {
      return;
    }
    byte[] frame = new byte[length];
    in.skipBytes(WireCodec.LENGTH_BYTES).readBytes(frame);
    out.add(WireCodec.decode(frame));
  }
}
