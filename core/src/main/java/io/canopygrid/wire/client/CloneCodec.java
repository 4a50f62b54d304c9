package io.canopygrid.wire.client;

import io.canopygrid.IndexClone;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.time.Instant;

/** The messages about clones of indexes. */
final class CloneCodec {
  /** The fewest bytes of a clone. */
  private static final int CLONE_BYTES = 11;

  private CloneCodec() {}

  static void write(ByteWriter out, Request.MakeClone m) {
    out.writeText(m.name()).writeText(m.index()).writeText(m.snapshot());
  }

  static Request.MakeClone readMakeClone(ByteReader in) {
    String name = Parts.readName(in);
    String index = Parts.readName(in);
    return new Request.MakeClone(name, index, Parts.readName(in));
  }

  static void write(ByteWriter out, Request.FlattenClone m) {
    out.writeText(m.name()).writeVarLong(m.number());
  }

  static Request.FlattenClone readFlattenClone(ByteReader in) {
    String name = Parts.readName(in);
    return new Request.FlattenClone(name, Parts.readInt(in));
  }

  static void write(ByteWriter out, Reply.Clones m) {
    Parts.writeList(
        out,
        m.clones(),
        (o, clone) -> {
          o.writeText(clone.name()).writeText(clone.parent());
          o.writeLong(clone.of().toEpochMilli()).writeVarLong(clone.depth());
        });
  }

  static Reply.Clones readClones(ByteReader in) {
    return new Reply.Clones(Parts.readList(in, CLONE_BYTES, CloneCodec::readClone));
  }

  private static IndexClone readClone(ByteReader in) {
    String name = Parts.readName(in);
    String parent = Parts.readName(in);
    Instant of = Instant.ofEpochMilli(in.readLong());
    return new IndexClone(name, parent, of, Parts.readInt(in));
  }

  static void write(ByteWriter out, Reply.Flattened m) {
    out.writeVarLong(m.number()).writeVarLong(m.copied());
    Parts.writeFlag(out, m.isLast());
  }

  static Reply.Flattened readFlattened(ByteReader in) {
    int number = Parts.readInt(in);
    long copied = Parts.readLong(in);
    return new Reply.Flattened(number, copied, Parts.readFlag(in));
  }
}
