package io.canopygrid.wire.client;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.List;

/** The messages about what nodes and clients do most, and for long. */
final class WorkCodec {
  /** The modes by their number on the wire. */
  private static final List<HotNode.Mode> MODES = List.of(HotNode.Mode.values());

  /** Rates travel as thousandths. */
  private static final double MILLI = 1e3;

  private static final int NODE_BYTES_MIN = 6;
  private static final int ENTRY_BYTES_MIN = 6;
  private static final int JOB_BYTES_MIN = 4;

  private WorkCodec() {}

  static void write(ByteWriter out, Request.AskHotEntries m) {
    out.writeVarLong(m.index());
  }

  static Request.AskHotEntries readAskHotEntries(ByteReader in) {
    return new Request.AskHotEntries(Parts.readInt(in));
  }

  static void write(ByteWriter out, Reply.HotEntries m) {
    Parts.writeList(out, m.nodes(), WorkCodec::write);
    Parts.writeList(out, m.entries(), WorkCodec::write);
    out.writeVarLong(m.hidden());
  }

  static Reply.HotEntries readHotEntries(ByteReader in) {
    List<HotNode> nodes = Parts.readList(in, NODE_BYTES_MIN, WorkCodec::readNode);
    List<HotEntry> entries = Parts.readList(in, ENTRY_BYTES_MIN, WorkCodec::readEntry);
    return new Reply.HotEntries(nodes, entries, Parts.readInt(in));
  }

  private static void write(ByteWriter out, HotNode m) {
    out.writeText(m.node()).writeByte(MODES.indexOf(m.mode()));
    out.writeVarLong(m.keys()).writeVarLong(m.copies());
    out.writeVarLong(m.reads()).writeVarLong(m.pushes());
  }

  private static HotNode readNode(ByteReader in) {
    String node = Parts.readName(in);
    HotNode.Mode mode = MODES.get(Parts.choice(in, MODES.size()));
    int keys = Parts.readInt(in);
    int copies = Parts.readInt(in);
    long reads = Parts.readLong(in);
    return new HotNode(node, mode, keys, copies, reads, Parts.readLong(in));
  }

  private static void write(ByteWriter out, HotEntry m) {
    out.writeVarLong(m.index()).writeBytes(m.key()).writeText(m.node());
    out.writeVarLong(Math.round(m.readsPerSecond() * MILLI));
    out.writeVarLong(Math.round(m.copyReadsPerSecond() * MILLI));
    Parts.writeList(out, m.copies(), ByteWriter::writeText);
  }

  private static HotEntry readEntry(ByteReader in) {
    int index = Parts.readInt(in);
    byte[] key = in.readBytes();
    String node = Parts.readName(in);
    double readsPerSecond = Parts.readLong(in) / MILLI;
    double copyReadsPerSecond = Parts.readLong(in) / MILLI;
    List<String> copies = Parts.readList(in, 1, Parts::readName);
    return new HotEntry(index, key, node, readsPerSecond, copyReadsPerSecond, copies);
  }

  static void write(ByteWriter out, Reply.Work m) {
    Parts.writeList(out, m.jobs(), WorkCodec::write);
    out.writeVarLong(m.heldMillis()).writeText(m.holder());
  }

  static Reply.Work readWork(ByteReader in) {
    List<RunningJob> jobs = Parts.readList(in, JOB_BYTES_MIN, WorkCodec::readJob);
    long heldMillis = Parts.readLong(in);
    return new Reply.Work(jobs, heldMillis, Parts.readName(in));
  }

  private static void write(ByteWriter out, RunningJob m) {
    out.writeText(m.kind()).writeText(m.name()).writeVarLong(m.done()).writeVarLong(m.total());
  }

  private static RunningJob readJob(ByteReader in) {
    String kind = Parts.readName(in);
    String name = Parts.readName(in);
    long done = Parts.readLong(in);
    return new RunningJob(kind, name, done, Parts.readLong(in));
  }
}
