package io.canopygrid.btree.horizon;

import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.HeldVersions;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The past that a node keeps, by its own account, and what at that node keeps it.
 *
 * @param node its name in the grid
 * @param versions beyond the newest one of each key
 * @param logEntries of the logs of commits
 * @param horizonMillis how long ago the present was what the horizon is now
 * @param open the oldest of the transactions that began there, oldest first
 * @param undoneCommits that are prepared or decided there and not done
 * @param undoneMillis how old the state is that those keep
 * @param unforcedMillis how old the state is that a disk which is not forced keeps
 */
public record HorizonFacts(
    String node,
    long versions,
    long logEntries,
    long horizonMillis,
    List<Open> open,
    int undoneCommits,
    long undoneMillis,
    long unforcedMillis) {
  /** No node tells of as many transactions. */
  private static final int OPEN_MAX = 1_000;

  private static final int BYTES = 512;

  /** Copies the list. */
  public HorizonFacts {
    open = List.copyOf(open);
  }

  /**
   * A transaction that runs.
   *
   * @param label empty: it has none
   */
  public record Open(String label, long millis) {}

  static HorizonFacts of(NodeId node, HeldVersions held) {
    return new HorizonFacts(
        node.toString(),
        held.versions(),
        held.logged(),
        millis(held.horizonNanos()),
        held.open().stream().map(one -> new Open(one.label(), millis(one.ageNanos()))).toList(),
        held.undoneCommits(),
        millis(held.undoneNanos()),
        millis(held.unforcedNanos()));
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  byte[] encode() {
    ByteWriter out = NodeBytes.begin(BYTES).writeText(node);
    out.writeVarLong(versions).writeVarLong(logEntries).writeVarLong(horizonMillis);
    out.writeVarLong(undoneCommits).writeVarLong(undoneMillis).writeVarLong(unforcedMillis);
    out.writeVarLong(open.size());
    open.forEach(one -> out.writeText(one.label()).writeVarLong(one.millis()));
    return out.toBytes();
  }

  static HorizonFacts decode(byte[] bytes) {
    return NodeBytes.decodeBeginning(bytes, HorizonFacts::read);
  }

  private static HorizonFacts read(ByteReader in) {
    String node = in.readText();
    long versions = in.readVarLong();
    long logEntries = in.readVarLong();
    long horizonMillis = in.readVarLong();
    int undoneCommits = in.readCount(Integer.MAX_VALUE);
    long undoneMillis = in.readVarLong();
    long unforcedMillis = in.readVarLong();
    List<Open> open = new ArrayList<>();
    for (int left = in.readCount(OPEN_MAX); left > 0; left--) {
      String label = in.readText();
      open.add(new Open(label, in.readVarLong()));
    }
    return new HorizonFacts(
        node,
        versions,
        logEntries,
        horizonMillis,
        open,
        undoneCommits,
        undoneMillis,
        unforcedMillis);
  }
}
