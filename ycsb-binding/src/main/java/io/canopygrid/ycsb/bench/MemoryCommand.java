package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.terminal.TextTable;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code canopy bench memory}: measures the memory that an entry takes beside its key and value.
 */
@Command(
    name = "memory",
    description = {
      "Measure how many bytes of heap an entry takes beside the bytes of its key and of its value:"
          + " on a node that is alone, at rest, and in the JDK's skip list of byte arrays.",
      "It is the growth of the heap in use after full collections, divided by the entries; all that"
          + " a node keeps is in it. Then, per entry, what the growth of the node's heap consists"
          + " of."
    })
final class MemoryCommand implements Callable<Integer> {
  /** The bytes per entry below which a class is not shown. */
  private static final double LEAST_SHOWN = 0.5;

  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Entries, 1000 to 10000000 (${DEFAULT-VALUE}).")
  private int entries;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      defaultValue = "100",
      description = "Bytes of each value, 0 to 100000 (${DEFAULT-VALUE}).")
  private int valueBytes;

  @Option(
      names = "--per-commit",
      paramLabel = "N",
      defaultValue = "1",
      description = "Entries that a transaction writes, 1 to 10000 (${DEFAULT-VALUE}).")
  private int perCommit;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    require(entries, 1_000, 10_000_000, "--entries");
    require(valueBytes, 0, 100_000, "--value-bytes");
    require(perCommit, 1, 10_000, "--per-commit");
    PrintWriter out = spec.commandLine().getOut();
    double payload = valueBytes + keyBytes() / (double) entries;
    double map = skipListBytes() / (double) entries - payload;
    try (Canopy db = EmbeddedCanopy.start()) {
      Index<String, byte[]> index = db.index("entries", Codec.string(), Codec.bytes());
      db.run(tx -> tx.on(index).put("", new byte[0]));
      HeapContent before = HeapContent.atRest();
      fill(db, index);
      HeapContent after = HeapContent.atRest();
      double node = after.bytesAbove(before) / (double) entries - payload;
      TextTable table = new TextTable(List.of("subject", "bytes per entry beside key and value"));
      table.add(List.of("skip list", number(map)));
      table.add(List.of("node", number(node)));
      table.lines().forEach(out::println);
      out.println();
      print(after.growthByClass(before), out);
    }
    return 0;
  }

  private void require(int value, int least, int most, String option) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(),
          option + " must be from " + least + " to " + most + ": it is " + value);
    }
  }

  private static String key(SplittableRandom random) {
    return "user" + (random.nextLong() >>> 1);
  }

  private long keyBytes() {
    SplittableRandom random = new SplittableRandom(1);
    long bytes = 0;
    for (int i = 0; i < entries; i++) {
      bytes += Codec.string().encode(key(random)).length;
    }
    return bytes;
  }

  private long skipListBytes() throws InterruptedException {
    HeapContent before = HeapContent.atRest();
    ConcurrentSkipListMap<byte[], byte[]> map =
        new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < entries; i++) {
      map.put(Codec.string().encode(key(random)), new byte[valueBytes]);
    }
    long bytes = HeapContent.atRest().bytesAbove(before);
    if (map.size() != entries) {
      throw new IllegalStateException("the keys are not all different");
    }
    return bytes;
  }

  private void fill(Canopy db, Index<String, byte[]> index) {
    SplittableRandom random = new SplittableRandom(1);
    for (int from = 0; from < entries; from += perCommit) {
      int count = Math.min(perCommit, entries - from);
      String[] keys = new String[count];
      Arrays.setAll(keys, i -> key(random));
      db.run(tx -> {
        for (String key : keys) {
          tx.on(index).put(key, new byte[valueBytes]);
        }
      });
    }
  }

  private void print(List<HeapContent.Growth> growth, PrintWriter out) {
    TextTable table = new TextTable(List.of("class", "objects per entry", "bytes per entry"));
    for (HeapContent.Growth one : growth) {
      double bytes = one.bytes() / (double) entries;
      if (bytes >= LEAST_SHOWN) {
        table.add(List.of(one.type(), number(one.objects() / (double) entries), number(bytes)));
      }
    }
    table.lines().forEach(out::println);
    out.flush();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
