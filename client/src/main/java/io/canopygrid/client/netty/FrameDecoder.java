package io.canopygrid.client.netty;

import io.canopygrid.wire.client.WireCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;

/** Brings what the event loop reads into {@link Frames}, which other threads read into as well. */
final class FrameDecoder extends ChannelInboundHandlerAdapter {
  private final Frames frames = new Frames();

  /** The frames, for the thread that reads the connection. */
  Frames frames() {
    return frames;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable()) {
        ByteBuffer room = frames.room();
        int count = Math.min(room.remaining(), in.readableBytes());
        in.readBytes(room.limit(room.position() + count));
        frames.added(count);
        for (WireCodec.Framed next = frames.next(); next != null; next = frames.next()) {
          context.fireChannelRead(next);
        }
      }
    } finally {
      in.release();
    }
  }
}
