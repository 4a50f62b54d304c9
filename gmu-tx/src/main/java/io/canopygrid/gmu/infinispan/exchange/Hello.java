package io.canopygrid.gmu.infinispan.exchange;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.util.UUID;

/**
 * The first words on a connection, from the node that has opened it.
 *
 * @param from that node
 * @param to the node that it means: another one may be at the same place by now
 * @param grid the name of the grid whose messages follow
 */
record Hello(Address from, Address to, String grid) {
  /** The answer of the node that listens: it is a member as well, and has that grid. */
  private static final byte WELCOME = 'W';

  private static final int MAGIC = 0xCA0BE8C4;
  private static final byte VERSION = 1;
  private static final int GRID_BYTES_MAX = 1 << 10;
  private static final int PATIENCE_MILLIS = 1_000;

  /**
   * Says it.
   *
   * @throws IOException where the other side does not welcome it in time
   */
  void sayTo(Socket socket) throws IOException {
    byte[] name = grid.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(3 * Integer.BYTES + 4 * Long.BYTES + name.length);
    out.putInt(MAGIC).putInt(VERSION);
    for (Address address : List.of(from, to)) {
      UUID id = (UUID) address;
      out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }
    out.putInt(name.length).put(name);
    OutputStream stream = socket.getOutputStream();
    stream.write(out.array());
    socket.setSoTimeout(PATIENCE_MILLIS);
    if (socket.getInputStream().read() != WELCOME) {
      throw new IOException("not welcome");
    }
    socket.setSoTimeout(0);
  }

  /**
   * Hears it, and reads nothing of what comes after it.
   *
   * @throws IOException where nothing comes for too long, or something that is no hello
   */
  static Hello hearOn(Socket socket) throws IOException {
    socket.setSoTimeout(PATIENCE_MILLIS);
    DataInputStream in = new DataInputStream(socket.getInputStream());
    if (in.readInt() != MAGIC || in.readInt() != VERSION) {
      throw new IOException("not a node of this version");
    }
    final UUID from = new UUID(in.readLong(), in.readLong());
    final UUID to = new UUID(in.readLong(), in.readLong());
    int length = in.readInt();
    if (length < 0 || length > GRID_BYTES_MAX) {
      throw new IOException("a name of " + length + " bytes");
    }
    byte[] name = in.readNBytes(length);
    if (name.length < length) {
      throw new IOException("ends within the name");
    }
    socket.setSoTimeout(0);
    return new Hello(from, to, new String(name, StandardCharsets.UTF_8));
  }

  /** Lets the node that has said it go on. */
  static void welcome(Socket socket) throws IOException {
    socket.getOutputStream().write(WELCOME);
  }
}
