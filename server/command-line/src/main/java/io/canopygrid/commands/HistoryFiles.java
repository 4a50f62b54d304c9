package io.canopygrid.commands;

import io.canopygrid.gmu.simulation.HistoryEntry;
import io.canopygrid.gmu.simulation.HistoryEntry.Ending;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.history.HistoryHeader;
import io.canopygrid.history.HistoryWriter;
import io.canopygrid.history.Op;
import io.canopygrid.history.Txn;
import io.canopygrid.history.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Writes the history of each run into a file of its own, in the form that {@code canopy verify}
 * reads: lists, to which each writer of a key has appended its number. Times are virtual.
 * Thread-safe.
 */
final class HistoryFiles {
  private final Path directory;

  /**
   * Makes the directory where it is missing.
   *
   * @throws IOException where that cannot be
   */
  HistoryFiles(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  /** A line of a history. */
  private record Line(long time, HistoryEntry entry, boolean invoke) {}

  /** The file with the history of a run. */
  Path file(SimulatedLayer layer, long seed) {
    return directory.resolve(layer + "-" + seed + ".jsonl");
  }

  /**
   * Writes one run's.
   *
   * @throws UncheckedIOException where the file cannot be written
   */
  void write(
      SimulatedLayer layer, long seed, SimulationOptions options, List<HistoryEntry> entries) {
    AtomicLong time = new AtomicLong();
    try (HistoryWriter writer =
        new HistoryWriter(file(layer, seed), header(seed, options), time::get)) {
      Processes processes = new Processes();
      for (Line line : lines(entries)) {
        time.set(line.time);
        write(writer, processes, line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HistoryHeader header(long seed, SimulationOptions options) {
    List<String> nodes = IntStream.rangeClosed(1, options.nodes()).mapToObj(i -> "n" + i).toList();
    String faults =
        options.faults().isEmpty()
            ? "none"
            : options.faults().stream().map(SimulatedFault::label).collect(Collectors.joining(","));
    return new HistoryHeader(
        Workload.LIST_APPEND, seed, nodes, options.owners(), "simulated", faults, "");
  }

  /**
   * The lines in the order of their times; lines of one session at one time keep the session's
   * order.
   */
  private static List<Line> lines(List<HistoryEntry> entries) {
    List<Line> lines = new ArrayList<>();
    for (HistoryEntry entry : entries) {
      lines.add(new Line(entry.began(), entry, true));
      lines.add(new Line(entry.ended(), entry, false));
    }
    lines.sort(Comparator.comparingLong(Line::time));
    return lines;
  }

  private static void write(HistoryWriter writer, Processes processes, Line line)
      throws IOException {
    HistoryEntry entry = line.entry;
    long process = processes.of(entry.session());
    List<Op> ops = new ArrayList<>();
    for (HistoryEntry.Read read : entry.reads()) {
      Op asked = Op.read(read.key());
      long[] writers = read.writers().stream().flatMapToLong(LongStream::of).toArray();
      ops.add(line.invoke ? asked : asked.saw(writers));
    }
    entry.appended().forEach(key -> ops.add(Op.append(key, entry.number())));
    if (line.invoke) {
      writer.invoke(process, "", entry.last(), ops);
    } else if (entry.ending() == Ending.COMMITTED) {
      writer.complete(process, "", entry.last(), Txn.Status.OK, null, ops);
    } else if (entry.ending() == Ending.ABORTED) {
      writer.complete(process, "", entry.last(), Txn.Status.FAIL, "aborted", ops);
    } else {
      writer.complete(process, "", entry.last(), Txn.Status.INFO, "unknown", ops);
      processes.retire(entry.session());
    }
  }

  /** Sessions by number; after an unknown end a session goes on under a new one. */
  private static final class Processes {
    private final Map<Integer, Long> numbers = new HashMap<>();
    private final Set<Integer> retired = new HashSet<>();
    private long next;

    long of(int session) {
      if (retired.remove(session)) {
        numbers.remove(session);
      }
      return numbers.computeIfAbsent(session, s -> next++);
    }

    void retire(int session) {
      retired.add(session);
    }
  }
}
