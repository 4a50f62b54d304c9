package io.canopygrid.server.facts;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** This JVM and its machine, in words and numbers; nothing of the environment's variables. */
public final class JvmFacts {
  private JvmFacts() {}

  /** Facts by name, in the order in which people read them. */
  public static Map<String, Object> all() {
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("java", Runtime.version().toString());
    facts.put("vm", runtime.getVmName() + ", " + runtime.getVmVendor());
    facts.put("options", options(runtime.getInputArguments()));
    facts.put("upMillis", runtime.getUptime());
    facts.put("os", system.getName() + " " + system.getVersion() + " " + system.getArch());
    facts.put("processors", system.getAvailableProcessors());
    facts.put("load", system.getSystemLoadAverage());
    if (system instanceof com.sun.management.OperatingSystemMXBean machine) {
      facts.put("memoryTotalBytes", machine.getTotalMemorySize());
      facts.put("memoryFreeBytes", machine.getFreeMemorySize());
      facts.put("processCpuMillis", machine.getProcessCpuTime() / 1_000_000);
    }
    if (system instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
      facts.put("openFiles", unix.getOpenFileDescriptorCount());
      facts.put("openFilesMax", unix.getMaxFileDescriptorCount());
    }
    facts.put("heapUsedBytes", heap.getUsed());
    facts.put("heapMaxBytes", heap.getMax());
    List<String> collectors = new ArrayList<>();
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      collectors.add(
          each.getName()
              + ": "
              + each.getCollectionCount()
              + " collections, "
              + each.getCollectionTime()
              + " ms");
    }
    facts.put("collectors", collectors);
    return facts;
  }

  /** The options of the JVM; values of system properties are left out, as some are passwords. */
  static List<String> options(List<String> arguments) {
    return arguments.stream()
        .map(each -> each.startsWith("-D") ? each.replaceFirst("=.*", "=(hidden)") : each)
        .toList();
  }

  /** All threads with their stacks and the locks that they wait for, by name. */
  public static List<String> threads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return Stream.of(
            threads.dumpAllThreads(
                threads.isObjectMonitorUsageSupported(), threads.isSynchronizerUsageSupported()))
        .sorted(Comparator.comparing(ThreadInfo::getThreadName))
        .map(JvmFacts::text)
        .toList();
  }

  private static String text(ThreadInfo thread) {
    StringBuilder text = new StringBuilder();
    text.append('"').append(thread.getThreadName()).append('"');
    text.append(" id=").append(thread.getThreadId()).append(' ').append(thread.getThreadState());
    if (thread.getLockName() != null) {
      text.append(" on ").append(thread.getLockName());
    }
    if (thread.getLockOwnerName() != null) {
      text.append(" owned by \"").append(thread.getLockOwnerName()).append('"');
    }
    for (StackTraceElement frame : thread.getStackTrace()) {
      text.append("\n    at ").append(frame);
    }
    for (LockInfo held : thread.getLockedMonitors()) {
      text.append("\n    has ").append(held);
    }
    for (LockInfo held : thread.getLockedSynchronizers()) {
      text.append("\n    has ").append(held);
    }
    return text.toString();
  }
}
