package io.canopygrid.btree.structure;

import io.canopygrid.StructureChange;
import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The changes of an index's structure as they go from node to node, and the question for them, in
 * the frame of {@link NodeBytes}.
 */
final class ChangeBytes {
  /** By their number in the bytes, as are the next. */
  private static final List<StructureChange.Kind> KINDS = List.of(StructureChange.Kind.values());

  private static final List<StructureChange.Reason> REASONS =
      List.of(StructureChange.Reason.values());

  private static final List<StructureChange.State> STATES = List.of(StructureChange.State.values());

  /** The fewest bytes of a change. */
  private static final int CHANGE_BYTES_MIN = 18;

  private ChangeBytes() {}

  /** The question for the changes of an index. */
  static byte[] encodeQuestion(int index) {
    return NodeBytes.begin(5).writeVarLong(index).toBytes();
  }

  /** The index that a question is about. */
  static int decodeQuestion(byte[] bytes) {
    return NodeBytes.decode(bytes, in -> in.readCount(Integer.MAX_VALUE));
  }

  static byte[] encode(List<StructureChange> changes) {
    ByteWriter out = NodeBytes.begin(16 + 64 * changes.size());
    out.writeVarLong(changes.size());
    changes.forEach(change -> write(out, change));
    return out.toBytes();
  }

  private static void write(ByteWriter out, StructureChange change) {
    out.writeVarLong(KINDS.indexOf(change.kind())).writeVarLong(REASONS.indexOf(change.reason()));
    out.writeVarLong(STATES.indexOf(change.state())).writeText(change.by());
    out.writeBytes(change.from()).writeText(change.target()).writeLong(change.startedMillis());
    out.writeVarLong(change.tookMillis()).writeVarLong(change.moved());
    out.writeVarLong(change.entries()).writeVarLong(change.etaMillis());
  }

  static List<StructureChange> decode(byte[] bytes) {
    return NodeBytes.decode(
        bytes,
        in -> {
          List<StructureChange> changes = new ArrayList<>();
          for (int left = in.readCount(in.remaining() / CHANGE_BYTES_MIN); left > 0; left--) {
            changes.add(readChange(in));
          }
          return changes;
        });
  }

  private static StructureChange readChange(ByteReader in) {
    StructureChange.Kind kind = KINDS.get(in.readCount(KINDS.size() - 1));
    StructureChange.Reason reason = REASONS.get(in.readCount(REASONS.size() - 1));
    StructureChange.State state = STATES.get(in.readCount(STATES.size() - 1));
    String by = in.readText();
    byte[] from = in.readBytes();
    String target = in.readText();
    long started = in.readLong();
    long took = in.readVarLong();
    long moved = in.readVarLong();
    long entries = in.readVarLong();
    return new StructureChange(
        kind, reason, state, by, from, target, started, took, moved, entries, in.readVarLong());
  }
}
