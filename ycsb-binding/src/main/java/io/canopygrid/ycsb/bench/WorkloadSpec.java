package io.canopygrid.ycsb.bench;

import io.canopygrid.ycsb.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One measurement to make.
 *
 * @param workload one of {@link Workloads#NAMES}
 * @param threads client threads, 1 to {@value #THREADS_MAX}
 */
record WorkloadSpec(String workload, int threads) {
  static final int THREADS_MAX = 1024;

  WorkloadSpec {
    if (!Workloads.NAMES.contains(workload)) {
      throw new IllegalArgumentException(
          "'" + workload + "' is no workload; there are " + String.join(",", Workloads.NAMES));
    }
    requireThreads(threads);
  }

  static void requireThreads(int threads) {
    if (threads < 1 || threads > THREADS_MAX) {
      throw new IllegalArgumentException(
          "threads must be from 1 to " + THREADS_MAX + ": threads=" + threads);
    }
  }

  /**
   * Reads a list such as {@code a,b/1}: a slash gives another number of threads.
   *
   * @throws IllegalArgumentException that says which part is wrong
   */
  static List<WorkloadSpec> parseList(String list, int threads) {
    String names = list.equals("all") ? String.join(",", Workloads.NAMES) : list;
    List<WorkloadSpec> specs = new ArrayList<>();
    for (String item : names.split(",", -1)) {
      specs.add(parse(item.trim().toLowerCase(Locale.ROOT), threads));
    }
    return List.copyOf(specs);
  }

  private static WorkloadSpec parse(String item, int threads) {
    int slash = item.indexOf('/');
    if (slash < 0) {
      return new WorkloadSpec(item, threads);
    }
    String digits = item.substring(slash + 1);
    try {
      return new WorkloadSpec(item.substring(0, slash), Integer.parseInt(digits));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + digits + "' in '" + item + "' is no number of threads", e);
    }
  }
}
