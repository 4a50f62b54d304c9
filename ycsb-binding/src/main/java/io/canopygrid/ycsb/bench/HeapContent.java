package io.canopygrid.ycsb.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The objects that were reachable in this JVM's heap at one moment, by class, from the JVM's own
 * histogram ({@code jcmd GC.class_histogram}).
 */
final class HeapContent {
  /**
   * The pause before a histogram: the garbage of the last transactions is dropped a horizon or two
   * later.
   */
  private static final long REST_MILLIS = 3_000;

  private static final Pattern ROW = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");

  /** The growth of one class. */
  record Growth(String type, long objects, long bytes) {}

  private record Count(long objects, long bytes) {}

  private final Map<String, Count> byType = new HashMap<>();

  private HeapContent(String histogram) {
    for (String line : histogram.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        Count count = new Count(Long.parseLong(row.group(1)), Long.parseLong(row.group(2)));
        byType.merge(
            row.group(3), count, (a, b) -> new Count(a.objects + b.objects, a.bytes + b.bytes));
      }
    }
    if (byType.isEmpty()) {
      throw new IllegalStateException("this JVM gives no class histogram");
    }
  }

  /** The content after a pause without requests and a full collection. */
  static HeapContent atRest() throws InterruptedException {
    Thread.sleep(REST_MILLIS);
    try {
      Object text =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      return new HeapContent((String) text);
    } catch (JMException e) {
      throw new IllegalStateException("this JVM gives no class histogram: " + e.getMessage(), e);
    }
  }

  long bytesAbove(HeapContent before) {
    return bytes() - before.bytes();
  }

  private long bytes() {
    return byType.values().stream().mapToLong(Count::bytes).sum();
  }

  /** The classes that have grown, those that have grown most first. */
  List<Growth> growthByClass(HeapContent before) {
    List<Growth> growth = new ArrayList<>();
    byType.forEach((type, count) -> {
      Count was = before.byType.getOrDefault(type, new Count(0, 0));
      growth.add(new Growth(type, count.objects - was.objects, count.bytes - was.bytes));
    });
    growth.sort(Comparator.comparingLong(Growth::bytes).reversed());
    return growth;
  }
}
