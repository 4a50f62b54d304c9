package io.canopygrid.wire.client;

import io.canopygrid.CutOff;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.List;

/** The messages about how an index is cut and placed. */
final class StructureCodec {
  /** The kinds by their number on the wire; {@code REASONS} is ordered likewise. */
  private static final List<StructureChange.Kind> KINDS = List.of(StructureChange.Kind.values());

  private static final List<StructureChange.Reason> REASONS =
      List.of(StructureChange.Reason.values());

  private static final List<StructureChange.State> STATES = List.of(StructureChange.State.values());

  /** Rates travel as thousandths. */
  private static final double MILLI = 1e3;

  /** The fewest bytes of a subtree and of a change. */
  private static final int SUBTREE_BYTES = 8;

  private static final int CHANGE_BYTES = 18;

  private StructureCodec() {}

  static void write(ByteWriter out, Request.AskSubtrees m) {
    out.writeVarLong(m.index()).writeBytes(m.from()).writeVarLong(m.max());
  }

  static Request.AskSubtrees readAskSubtrees(ByteReader in) {
    int index = Parts.readInt(in);
    byte[] from = in.readBytes();
    return new Request.AskSubtrees(index, from, Parts.readInt(in));
  }

  static void write(ByteWriter out, Request.AskChanges m) {
    out.writeVarLong(m.index());
  }

  static Request.AskChanges readAskChanges(ByteReader in) {
    return new Request.AskChanges(Parts.readInt(in));
  }

  static void write(ByteWriter out, Request.AskCutOff m) {
    out.writeVarLong(m.index());
    Parts.writeFlag(out, m.fix());
    out.writeVarLong(m.subtreesPerNode());
  }

  static Request.AskCutOff readAskCutOff(ByteReader in) {
    int index = Parts.readInt(in);
    boolean fix = Parts.readFlag(in);
    return new Request.AskCutOff(index, fix, Parts.readInt(in));
  }

  static void write(ByteWriter out, Request.Reshape m) {
    out.writeVarLong(m.index()).writeByte(KINDS.indexOf(m.kind()));
    out.writeBytes(m.key()).writeText(m.node());
  }

  static Request.Reshape readReshape(ByteReader in) {
    int index = Parts.readInt(in);
    StructureChange.Kind kind = KINDS.get(Parts.choice(in, KINDS.size()));
    byte[] key = in.readBytes();
    return new Request.Reshape(index, kind, key, Parts.readName(in));
  }

  static void write(ByteWriter out, Reply.Subtrees m) {
    Parts.writeFlag(out, m.end());
    Parts.writeList(
        out,
        m.subtrees(),
        (o, subtree) -> {
          o.writeBytes(subtree.from()).writeText(subtree.node()).writeVarLong(subtree.shard());
          o.writeVarLong(subtree.entries()).writeVarLong(subtree.bytes());
          o.writeVarLong(Math.round(subtree.readsPerSecond() * MILLI));
          o.writeVarLong(Math.round(subtree.writesPerSecond() * MILLI));
          Parts.writeList(o, subtree.cuts(), ByteWriter::writeBytes);
        });
  }

  static Reply.Subtrees readSubtrees(ByteReader in) {
    boolean end = Parts.readFlag(in);
    return new Reply.Subtrees(end, Parts.readList(in, SUBTREE_BYTES, StructureCodec::readSubtree));
  }

  private static Subtree readSubtree(ByteReader in) {
    byte[] from = in.readBytes();
    String node = Parts.readName(in);
    int shard = Parts.readInt(in);
    long entries = Parts.readLong(in);
    long bytes = Parts.readLong(in);
    double reads = Parts.readLong(in) / MILLI;
    double writes = Parts.readLong(in) / MILLI;
    List<byte[]> cuts = Parts.readList(in, 1, ByteReader::readBytes);
    return new Subtree(from, node, shard, entries, bytes, reads, writes, cuts);
  }

  static void write(ByteWriter out, Reply.Changes m) {
    Parts.writeList(
        out,
        m.changes(),
        (o, change) -> {
          o.writeByte(KINDS.indexOf(change.kind())).writeByte(REASONS.indexOf(change.reason()));
          o.writeByte(STATES.indexOf(change.state())).writeText(change.by());
          o.writeBytes(change.from()).writeText(change.target()).writeLong(change.startedMillis());
          o.writeVarLong(change.tookMillis()).writeVarLong(change.moved());
          o.writeVarLong(change.entries()).writeVarLong(change.etaMillis());
        });
  }

  static Reply.Changes readChanges(ByteReader in) {
    return new Reply.Changes(Parts.readList(in, CHANGE_BYTES, StructureCodec::readChange));
  }

  private static StructureChange readChange(ByteReader in) {
    StructureChange.Kind kind = KINDS.get(Parts.choice(in, KINDS.size()));
    StructureChange.Reason reason = REASONS.get(Parts.choice(in, REASONS.size()));
    StructureChange.State state = STATES.get(Parts.choice(in, STATES.size()));
    String by = Parts.readName(in);
    byte[] from = in.readBytes();
    String target = Parts.readName(in);
    long started = in.readLong();
    long took = Parts.readLong(in);
    long moved = Parts.readLong(in);
    long entries = Parts.readLong(in);
    return new StructureChange(
        kind, reason, state, by, from, target, started, took, moved, entries, Parts.readLong(in));
  }

  static void write(ByteWriter out, Reply.CutOffIs m) {
    CutOff cutOff = m.cutOff();
    out.writeVarLong(cutOff.subtrees()).writeVarLong(cutOff.wanted());
    out.writeVarLong(cutOff.subtreesPerNode());
    Parts.writeFlag(out, cutOff.fixed());
    Parts.writeFlag(out, cutOff.balanced());
  }

  static Reply.CutOffIs readCutOffIs(ByteReader in) {
    int subtrees = Parts.readInt(in);
    int wanted = Parts.readInt(in);
    int perNode = Parts.readInt(in);
    boolean fixed = Parts.readFlag(in);
    return new Reply.CutOffIs(new CutOff(subtrees, wanted, perNode, fixed, Parts.readFlag(in)));
  }
}
