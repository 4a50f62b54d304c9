package io.canopygrid.server.top;

import io.canopygrid.Subtree;
import io.canopygrid.server.state.GridVerdict;
import io.canopygrid.server.state.StatusFields;
import io.canopygrid.server.terminal.Printable;
import io.canopygrid.server.top.TopSample.Counts;
import io.canopygrid.server.top.TopSample.IndexUse;
import io.canopygrid.server.top.TopSample.Use;
import io.canopygrid.wire.client.Reply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A look at a cluster as lines of text. Counts become rates by the look before.
 *
 * @param before null: this is the first, and has no rates
 */
record TopView(TopSample now, @Nullable TopSample before) {
  private static final int INDEXES = 10;
  private static final long MEBIBYTE = 1 << 20;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  /** A node and its figures. */
  private record NodeRow(Reply.NodeStatus node, @Nullable Counts counts, Use use) {}

  /** The state of the cluster. */
  GridVerdict verdict() {
    return GridVerdict.of(now.status());
  }

  /** The sentence about the state, in lines that are not wider. */
  List<String> verdictLines(int width) {
    return Columns.wrapped(verdict().text(now.data().isOnDisk()), width);
  }

  /** All other lines, none of them wider. */
  List<String> lines(int width) {
    List<String> lines = new ArrayList<>();
    String place = now.data().text();
    if (place != null) {
      lines.addAll(Columns.wrapped(place, width));
    }
    String work = now.work().text();
    if (work != null) {
      lines.addAll(Columns.wrapped(Printable.line(work), width));
    }
    lines.addAll(Columns.wrapped(total(), width));
    lines.add("");
    lines.addAll(nodes(width));
    lines.add("");
    List<IndexUse> hottest = hottest();
    if (hottest.isEmpty()) {
      lines.add("no indexes");
    } else {
      lines.addAll(indexes(hottest, width));
      int left = now.indexes().size() - hottest.size();
      if (left > 0) {
        lines.add("and " + left + " more");
      }
    }
    return lines.stream().map(line -> Columns.cut(line, width)).toList();
  }

  private String total() {
    List<Double> commits = new ArrayList<>();
    List<Double> aborts = new ArrayList<>();
    for (Reply.NodeStatus node : now.status().nodes()) {
      commits.add(perSecond(node.node(), Counts::commits));
      aborts.add(perSecond(node.node(), Counts::aborts));
    }
    Use use = now.indexes().stream().map(IndexUse::total).reduce(Use.NONE, Use::plus);
    return String.format(
        Locale.ROOT,
        "%s commits/s, %s aborts/s, %s reads/s, %s writes/s",
        or(sum(commits), "-"),
        or(sum(aborts), "-"),
        rate(use.reads()),
        rate(use.writes()));
  }

  private static String or(@Nullable String text, String other) {
    return text == null ? other : text;
  }

  /** The sum of rates that are known; null: none is. */
  private static @Nullable String sum(List<Double> rates) {
    List<Double> known = rates.stream().filter(each -> !each.isNaN()).toList();
    return known.isEmpty() ? null : rate(known.stream().mapToDouble(Double::doubleValue).sum());
  }

  private List<String> nodes(int width) {
    List<NodeRow> rows =
        now.status().nodes().stream()
            .sorted(Comparator.comparing(TopView::name))
            .map(node -> new NodeRow(node, now.counts().get(node.node()), now.use(node.node())))
            .toList();
    return new Columns<NodeRow>()
        .add("node", 0, row -> name(row.node()))
        .add("state", 2, row -> StatusFields.state(row.node()))
        .add("commits/s", 1, row -> shown(perSecond(row.node().node(), Counts::commits)))
        .add("aborts/s", 3, row -> shown(perSecond(row.node().node(), Counts::aborts)))
        .add("reads/s", 4, row -> rate(row.use().reads()))
        .add("writes/s", 5, row -> rate(row.use().writes()))
        .add("p50 ms", 8, row -> millis(row, true))
        .add("p99 ms", 6, row -> millis(row, false))
        .add("heap MiB", 7, row -> heap(row.node()))
        .add("data", 11, row -> now.data().text(row.node().node()))
        .add("primaries", 9, row -> shards(row.node(), row.node().primaryShards()))
        .add("copies", 10, row -> shards(row.node(), row.node().ownedShards()))
        .lines(rows, width);
  }

  private static String name(Reply.NodeStatus node) {
    return node.name().isEmpty() ? node.node() : node.name();
  }

  private static @Nullable String shards(Reply.NodeStatus node, int count) {
    return node.reachable() ? Integer.toString(count) : null;
  }

  private static @Nullable String heap(Reply.NodeStatus node) {
    return node.version().isEmpty()
        ? null
        : node.heapUsedBytes() / MEBIBYTE + " of " + node.heapMaxBytes() / MEBIBYTE;
  }

  private static @Nullable String millis(NodeRow row, boolean half) {
    Counts counts = row.counts();
    if (counts == null || counts.commits() == 0) {
      return null;
    }
    long nanos = half ? counts.latency().p50Nanos() : counts.latency().p99Nanos();
    return String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MILLI);
  }

  /** A count's growth per second; NaN: not known, as the node has started anew, or not told. */
  private double perSecond(String node, ToLongFunction<Counts> count) {
    Counts last = before == null ? null : before.counts().get(node);
    Counts counts = now.counts().get(node);
    if (before == null || last == null || counts == null) {
      return Double.NaN;
    }
    long grown = count.applyAsLong(counts) - count.applyAsLong(last);
    double seconds = (now.nanos() - before.nanos()) / NANOS_PER_SECOND;
    return grown < 0 || seconds <= 0 ? Double.NaN : grown / seconds;
  }

  private static @Nullable String shown(double perSecond) {
    return Double.isNaN(perSecond) ? null : rate(perSecond);
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 9.95 ? "%.1f" : "%.0f", perSecond);
  }

  /** The indexes with the most load, which is what the balance goes by. */
  private List<IndexUse> hottest() {
    return now.indexes().stream()
        .sorted(
            Comparator.comparingDouble((IndexUse index) -> -load(index))
                .thenComparing(IndexUse::index))
        .limit(INDEXES)
        .toList();
  }

  private static double load(IndexUse index) {
    Use use = index.total();
    return use.reads() + Subtree.WRITE_WEIGHT * use.writes();
  }

  private static List<String> indexes(List<IndexUse> rows, int width) {
    return new Columns<IndexUse>()
        .add("index", 0, IndexUse::index)
        .add("reads/s", 1, row -> rate(row.total().reads()))
        .add("writes/s", 2, row -> rate(row.total().writes()))
        .add("entries", 3, row -> Long.toString(row.entries()))
        .add("subtrees", 4, row -> Integer.toString(row.subtrees()))
        .lines(rows, width);
  }
}
