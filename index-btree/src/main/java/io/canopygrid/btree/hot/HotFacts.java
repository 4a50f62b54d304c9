package io.canopygrid.btree.hot;

import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.HotFigures;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The hot entries of a node, by its own account.
 *
 * @param node its name in the grid
 * @param entries the hot ones of which it is the primary
 * @param copies of entries of other nodes that it keeps
 * @param reads that these copies have answered since the start
 * @param pushes that it has sent to keepers since the start
 */
public record HotFacts(
    String node, Mode mode, List<Entry> entries, int copies, long reads, long pushes) {
  /** No node tells of as many entries, and none has as many keepers. */
  private static final int LIST_MAX = 10_000;

  private static final int BYTES = 512;
  private static final double MILLI = 1e3;

  /** Copies the list. */
  public HotFacts {
    entries = List.copyOf(entries);
  }

  /** Whether a node has hot entries; by number on the wire. */
  public enum Mode {
    /** Nobody has asked for them. */
    OFF(0),
    /** The node has them. */
    ON(1);

    private final int code;

    Mode(int code) {
      this.code = code;
    }

    private static Mode of(HotFigures.Mode mode) {
      return switch (mode) {
        case OFF -> OFF;
        case ON -> ON;
      };
    }

    private static Mode ofCode(int code) {
      return switch (code) {
        case 0 -> OFF;
        case 1 -> ON;
        default -> throw new MalformedBytesException("no mode of hot entries: " + code);
      };
    }
  }

  /**
   * A hot entry.
   *
   * @param index the number of its index
   * @param key its bytes; not to be changed
   * @param readsPerSecond at other nodes than its primary
   * @param copyReadsPerSecond those of these that copies have answered
   * @param keepers the nodes with a hot copy
   */
  public record Entry(
      int index,
      byte[] key,
      double readsPerSecond,
      double copyReadsPerSecond,
      List<String> keepers) {
    /** Copies the list. */
    public Entry {
      keepers = List.copyOf(keepers);
    }
  }

  /**
   * The facts of a node.
   *
   * @param indexOf the number of the index of a kcl; null: it is of none, and its entries are left
   *     out
   */
  static HotFacts of(NodeId node, HotFigures figures, LongFunction<@Nullable Integer> indexOf) {
    List<Entry> entries = new ArrayList<>();
    for (HotFigures.Key hot : figures.hot()) {
      CompositeKey key = hot.key();
      Integer index = indexOf.apply(key.kcl());
      if (index != null && EntryKeys.isEntry(key)) {
        List<String> keepers = hot.keepers().stream().map(NodeId::toString).toList();
        entries.add(
            new Entry(
                index,
                EntryKeys.userKey(key),
                hot.readsPerSecond(),
                hot.copyReadsPerSecond(),
                keepers));
      }
    }
    return new HotFacts(
        node.toString(),
        Mode.of(figures.mode()),
        entries,
        figures.copies(),
        figures.reads(),
        figures.pushes());
  }

  /** The bytes; rates keep three decimals. */
  byte[] encode() {
    ByteWriter out = NodeBytes.begin(BYTES).writeText(node).writeByte(mode.code);
    out.writeVarLong(copies).writeVarLong(reads).writeVarLong(pushes);
    out.writeVarLong(entries.size());
    for (Entry entry : entries) {
      out.writeVarLong(entry.index).writeBytes(entry.key);
      out.writeVarLong(Math.round(entry.readsPerSecond * MILLI));
      out.writeVarLong(Math.round(entry.copyReadsPerSecond * MILLI));
      out.writeVarLong(entry.keepers.size());
      entry.keepers.forEach(out::writeText);
    }
    return out.toBytes();
  }

  static HotFacts decode(byte[] bytes) {
    return NodeBytes.decodeBeginning(bytes, HotFacts::read);
  }

  private static HotFacts read(ByteReader in) {
    String node = in.readText();
    Mode mode = Mode.ofCode(in.readByte());
    int copies = in.readCount(Integer.MAX_VALUE);
    long reads = in.readVarLong();
    long pushes = in.readVarLong();
    List<Entry> entries = new ArrayList<>();
    for (int left = in.readCount(LIST_MAX); left > 0; left--) {
      entries.add(readEntry(in));
    }
    return new HotFacts(node, mode, entries, copies, reads, pushes);
  }

  private static Entry readEntry(ByteReader in) {
    int index = in.readCount(Integer.MAX_VALUE);
    byte[] key = in.readBytes();
    double readsPerSecond = in.readVarLong() / MILLI;
    double copyReadsPerSecond = in.readVarLong() / MILLI;
    List<String> keepers = new ArrayList<>();
    for (int left = in.readCount(LIST_MAX); left > 0; left--) {
      keepers.add(in.readText());
    }
    return new Entry(index, key, readsPerSecond, copyReadsPerSecond, keepers);
  }
}
