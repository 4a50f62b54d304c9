package io.canopygrid.ycsb.cluster;

import java.util.stream.Stream;

/** The CPU time of processes. */
final class CpuTime {
  private CpuTime() {}

  /** The CPU time of processes so far, in seconds. */
  static double seconds(Stream<ProcessHandle> processes) {
    return processes
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .mapToDouble(time -> time.toNanos() / 1e9)
        .sum();
  }
}
