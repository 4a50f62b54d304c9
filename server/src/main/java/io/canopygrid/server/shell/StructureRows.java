package io.canopygrid.server.shell;

import io.canopygrid.Codec;
import io.canopygrid.CutOff;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.server.codec.SeparatorText;
import io.canopygrid.server.state.HotVerdict;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.wire.client.HotEntry;
import io.canopygrid.wire.client.HotNode;
import io.canopygrid.wire.client.Reply;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints the subtrees of an index, their changes and its hot entries, as a table or JSON. Confined
 * to one thread.
 */
final class StructureRows {
  /** A load below this is shown as 0, and so is a share of it. */
  private static final double SHOWN_LEAST = 0.05;

  private final PrintWriter out;
  private final OutputFormat output;
  private final Codec<String> keys;

  StructureRows(PrintWriter out, OutputFormat output, Codec<String> keys) {
    this.out = out;
    this.output = output;
    this.keys = keys;
  }

  private String text(byte[] key) {
    return SeparatorText.of(key, keys);
  }

  private static Object rate(double perSecond) {
    return Math.round(perSecond * 10) / 10.0;
  }

  void shape(List<Subtree> subtrees) {
    Rows rows =
        new Rows(out, output, "from", "node", "shard", "entries", "bytes", "reads", "writes");
    for (Subtree s : subtrees) {
      rows.add(
          text(s.from()),
          s.node().isEmpty() ? null : s.node(),
          s.shard(),
          s.entries(),
          s.bytes(),
          rate(s.readsPerSecond()),
          rate(s.writesPerSecond()));
    }
    rows.end();
  }

  void placement(List<Subtree> subtrees) {
    Map<String, double[]> byNode = new TreeMap<>();
    for (Subtree s : subtrees) {
      double[] sum = byNode.computeIfAbsent(s.node(), node -> new double[5]);
      sum[0]++;
      sum[1] += s.entries();
      sum[2] += s.bytes();
      sum[3] += s.readsPerSecond();
      sum[4] += s.writesPerSecond();
    }
    Rows rows = new Rows(out, output, "node", "subtrees", "entries", "bytes", "reads", "writes");
    byNode.forEach((node, sum) ->
        rows.add(
            node.isEmpty() ? null : node,
            (long) sum[0],
            (long) sum[1],
            (long) sum[2],
            rate(sum[3]),
            rate(sum[4])));
    rows.end();
  }

  void heat(List<Subtree> subtrees) {
    double total = subtrees.stream().mapToDouble(Subtree::load).sum();
    Rows rows =
        new Rows(out, output, "from", "node", "share", "reads", "writes", "entries", "cuts");
    subtrees.stream()
        .sorted(Comparator.comparingDouble(s -> -s.load()))
        .forEach(s ->
            rows.add(
                text(s.from()),
                s.node().isEmpty() ? null : s.node(),
                total < SHOWN_LEAST ? 0.0 : Math.round(1_000 * s.load() / total) / 1_000.0,
                rate(s.readsPerSecond()),
                rate(s.writesPerSecond()),
                s.entries(),
                s.cuts().stream().map(this::text).toList()));
    rows.end();
  }

  /** The hot entries and what each node does for them; in JSON only where there may be some. */
  void hotEntries(Reply.HotEntries told) {
    HotVerdict verdict = HotVerdict.of(told);
    boolean isTable = output == OutputFormat.TABLE;
    if (isTable) {
      out.println(verdict.text());
    }
    if (!verdict.mode().equals("off")) {
      hotEntries(told.entries());
      hotNodes(told.nodes());
    }
    out.flush();
  }

  private void hotEntries(List<HotEntry> entries) {
    Rows rows = new Rows(out, output, "hot", "node", "reads", "copyReads", "copies");
    entries.forEach(entry ->
        rows.add(
            text(entry.key()),
            entry.node(),
            rate(entry.readsPerSecond()),
            rate(entry.copyReadsPerSecond()),
            entry.copies()));
    rows.end();
  }

  private void hotNodes(List<HotNode> nodes) {
    Rows rows =
        new Rows(out, output, "hotNode", "mode", "hotKeys", "copies", "copyReads", "pushes");
    nodes.forEach(node ->
        rows.add(
            node.node(),
            lower(node.mode()),
            node.keys(),
            node.copies(),
            node.reads(),
            node.pushes()));
    rows.end();
  }

  void changes(List<StructureChange> changes) {
    Rows rows =
        new Rows(
            out,
            output,
            "change",
            "from",
            "why",
            "state",
            "by",
            "to",
            "moved",
            "of",
            "started",
            "millis",
            "etaMillis");
    for (StructureChange c : changes) {
      rows.add(
          lower(c.kind()),
          text(c.from()),
          lower(c.reason()),
          lower(c.state()),
          c.by(),
          c.target().isEmpty() ? null : c.target(),
          c.moved(),
          Math.max(c.entries(), c.moved()),
          Instant.ofEpochMilli(c.startedMillis()).toString(),
          c.tookMillis(),
          c.etaMillis());
    }
    rows.end();
  }

  void cutOff(CutOff cutOff) {
    Rows rows = new Rows(out, output, "subtrees", "wanted", "subtreesPerNode", "fixed", "balanced");
    rows.add(
        cutOff.subtrees(),
        cutOff.wanted(),
        cutOff.subtreesPerNode(),
        cutOff.fixed(),
        cutOff.balanced());
    rows.end();
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
