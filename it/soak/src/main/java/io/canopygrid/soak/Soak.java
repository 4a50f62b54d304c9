package io.canopygrid.soak;

import io.canopygrid.Durability;
import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.LocalSite;
import io.canopygrid.soak.power.PowerRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rounds of faults on one cluster until the time is over, or something is wrong. */
public final class Soak {
  /** The faults that the library under the nodes' disks does. */
  private static final Set<ClusterFault> BY_RECORDS =
      EnumSet.of(ClusterFault.POWER, ClusterFault.DISK_SLOW, ClusterFault.DISK_FULL);

  /** Shorter than what cuts and pauses last, so that clients meet both refusals and delays. */
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(5);

  private final SoakOptions options;
  private final Path directory;
  private final boolean keep;
  private final Consumer<String> narrator;
  private final Random random;
  private final List<ClusterFault> coming = new ArrayList<>();

  /**
   * A run.
   *
   * @param directory exists; gets logs, and the histories that show something wrong
   * @param keep whether it gets all histories
   * @param narrator is told what happens
   */
  public Soak(SoakOptions options, Path directory, boolean keep, Consumer<String> narrator) {
    this.options = options;
    this.directory = directory;
    this.keep = keep;
    this.narrator = narrator;
    this.random = new Random(options.seed());
  }

  /** Runs it; at least one round. */
  public SoakReport run() throws IOException, InterruptedException {
    long baseNanos = System.nanoTime();
    long endNanos = baseNanos + options.duration().toNanos();
    List<RoundResult> results = new ArrayList<>();
    List<Path> watches = new ArrayList<>();
    @Nullable PowerRecords power =
        !Collections.disjoint(options.faults(), BY_RECORDS)
            ? PowerRecords.create(Cluster.disks(directory), directory.resolve("power"))
            : null;
    try (Cluster cluster = cluster(baseNanos, power)) {
      long fromMillis = (System.nanoTime() - baseNanos) / 1_000_000;
      boolean right = true;
      long committed = 0;
      for (int number = 1;
          right
              && (number == 1
                  || System.nanoTime() < endNanos
                  || committed < options.transactions());
          number++) {
        List<ClusterFault> faults = nextFaults();
        String words = ClusterFault.labels(options.faults());
        RoundResult result =
            new Round(
                    cluster,
                    directory,
                    baseNanos,
                    watches,
                    number,
                    random.nextLong() >>> 1,
                    words,
                    "NONE")
                .run(faults, keep, power);
        results.add(result);
        right = result.isRight();
        committed += result.committed();
        narrator.accept(told(number, result));
      }
      Duration lasted = Duration.ofNanos(System.nanoTime() - baseNanos);
      long[] gaps = ShardGaps.longest(watches, options.shards() + 1, fromMillis);
      return new SoakReport(options, lasted, List.copyOf(results), gaps);
    }
  }

  private Cluster cluster(long baseNanos, @Nullable PowerRecords power) throws IOException {
    LocalSite site =
        new LocalSite(power == null ? Map.of() : power.environment(), options.previous());
    Durability durability = options.durability();
    return durability == null
        ? Cluster.breakable(
            site,
            options.nodes(),
            options.shards(),
            options.failureTimeout(),
            TRANSACTION_TIMEOUT,
            options.placement(),
            directory,
            baseNanos)
        : Cluster.breakableStored(
            site,
            options.nodes(),
            options.shards(),
            options.failureTimeout(),
            TRANSACTION_TIMEOUT,
            options.placement(),
            durability,
            directory,
            baseNanos);
  }

  /** Each kind comes up before one comes up again. */
  private List<ClusterFault> nextFaults() {
    List<ClusterFault> next = new ArrayList<>();
    while (next.size() < options.faultsPerRound() && !options.faults().isEmpty()) {
      if (coming.isEmpty()) {
        for (ClusterFault fault : ClusterFault.values()) {
          if (options.faults().contains(fault)) {
            coming.add(fault);
          }
        }
        Collections.shuffle(coming, random);
      }
      next.add(coming.remove(0));
    }
    return next;
  }

  private static String told(int number, RoundResult result) {
    StringBuilder text = new StringBuilder("round " + number + ": ");
    for (RoundResult.Done done : result.faults()) {
      text.append(
          String.format(Locale.ROOT, "%s %.1f s, ", done.fault().label(), done.nanos() / 1e9));
    }
    return text.append(result.committed())
        .append(" committed, ")
        .append(result.isRight() ? "nothing wrong" : "WRONG: " + result.wrong())
        .toString();
  }
}
