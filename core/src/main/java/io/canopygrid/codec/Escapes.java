package io.canopygrid.codec;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;

/**
 * Byte strings that end themselves, so that several can follow each other and still sort one by
 * one: a zero byte is written as {@code 00 FF}, the end as {@code 00 01}. Where one string goes on
 * and the other ends, the end sorts first, since {@code 00 01} is below {@code 00 FF} and below
 * every other byte; and no written string is the beginning of another.
 */
public final class Escapes {
  private static final int ZERO = 0xFF;
  private static final int END = 0x01;

  private Escapes() {}

  /** Appends the string and its end. */
  public static void write(ByteWriter out, byte[] string) {
    writeBeginning(out, string);
    out.writeByte(0).writeByte(END);
  }

  /** Appends the bytes with which exactly those strings are written that begin with this one. */
  public static void writeBeginning(ByteWriter out, byte[] string) {
    for (byte b : string) {
      out.writeByte(b);
      if (b == 0) {
        out.writeByte(ZERO);
      }
    }
  }

  /** Reads a string up to its end. */
  public static byte[] read(ByteReader in) {
    ByteWriter string = new ByteWriter(32);
    while (true) {
      int b = in.readByte();
      if (b == 0) {
        int mark = in.readByte();
        if (mark == END) {
          return string.toBytes();
        }
        if (mark != ZERO) {
          throw new MalformedBytesException("unknown byte after a zero: " + mark);
        }
      }
      string.writeByte(b);
    }
  }
}
