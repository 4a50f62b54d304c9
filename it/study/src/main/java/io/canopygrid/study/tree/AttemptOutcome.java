package io.canopygrid.study.tree;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;

/** The end of one attempt at an operation. */
sealed interface AttemptOutcome {
  /** The operation is committed; it found this, and has seen this much. */
  record Done(OperationResult found, VectorClock clock) implements AttemptOutcome {}

  /** Another operation was in the way, and nothing of this one happened. */
  record Conflict() implements AttemptOutcome {}

  /** The page at which it began does not cover the key in its snapshot. */
  record Stale() implements AttemptOutcome {}

  /** The operation cannot be done. */
  record Failed(String why) implements AttemptOutcome {}

  /** As bytes. */
  default byte[] toBytes() {
    ByteWriter out = new ByteWriter(128);
    if (this instanceof Done done) {
      out.writeByte(0);
      done.found().write(out);
      ClockBytes.write(out, done.clock());
    } else if (this instanceof Failed failed) {
      out.writeByte(3).writeText(failed.why());
    } else {
      out.writeByte(this instanceof Conflict ? 1 : 2);
    }
    return out.toBytes();
  }

  /** Reads an ending from bytes. */
  static AttemptOutcome of(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    int kind = in.readByte();
    return switch (kind) {
      case 0 -> new Done(OperationResult.read(in), ClockBytes.read(in));
      case 1 -> new Conflict();
      case 2 -> new Stale();
      default -> new Failed(in.readText());
    };
  }
}
