package io.canopygrid.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.canopygrid.history.EventParser.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a history and pairs invocations with ends, strictly: what breaks a rule of the format is
 * refused, so that a broken recorder is never mistaken for a broken or a right database.
 */
public final class HistoryReader {
  private final Map<Long, Event> open = new HashMap<>();
  private final Set<Long> retired = new HashSet<>();
  private final List<Txn> txns = new ArrayList<>();
  private final List<History.Fault> faults = new ArrayList<>();

  private HistoryReader() {}

  /**
   * Reads a whole file. A transaction whose end is missing counts as {@link Txn.Status#INFO}.
   *
   * @throws MalformedHistoryException if it breaks a rule of the format; names the line
   */
  public static History read(Path file) throws IOException {
    return new HistoryReader().readAll(file);
  }

  private History readAll(Path file) throws IOException {
    try (EventParser parser = new EventParser(file)) {
      long last = -1;
      for (Event event = parser.next(); event != null; event = parser.next()) {
        if (event.index <= last) {
          throw parser.malformed("index must grow: " + event.index + " after " + last);
        }
        last = event.index;
        String wrong = take(event);
        if (wrong != null) {
          throw parser.malformed(wrong);
        }
      }
      for (Event invoke : open.values()) {
        txns.add(txn(invoke, Txn.Status.INFO, Long.MAX_VALUE, "crash", invoke.ops));
      }
      txns.sort(Comparator.comparingLong(Txn::index));
      return new History(parser.header(), txns, faults);
    } catch (JsonProcessingException e) {
      throw new MalformedHistoryException(
          "line " + e.getLocation().getLineNr() + ": not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Takes one event in; what is wrong with it, or null. */
  private @Nullable String take(Event event) {
    if (event.process == Event.NO_CLIENT) {
      faults.add(new History.Fault(event.time, event.f, event.text));
      return null;
    }
    if (event.type.equals("invoke")) {
      if (retired.contains(event.process)) {
        return "process " + event.process + " has retired after an unknown end";
      }
      return open.put(event.process, event) == null
          ? null
          : "process " + event.process + " already runs a transaction";
    }
    Event invoke = open.remove(event.process);
    if (invoke == null) {
      return "process " + event.process + " ends what it did not begin";
    }
    return end(invoke, event);
  }

  private @Nullable String end(Event invoke, Event event) {
    Txn.Status status;
    switch (event.type) {
      case "ok" -> status = Txn.Status.OK;
      case "fail" -> status = Txn.Status.FAIL;
      case "info" -> {
        status = Txn.Status.INFO;
        retired.add(event.process);
      }
      default -> {
        return "type must be invoke, ok, fail or info: " + event.type;
      }
    }
    if (invoke.ops.size() != event.ops.size()) {
      return "an end has the operations of its invocation";
    }
    for (int i = 0; i < event.ops.size(); i++) {
      Op asked = invoke.ops.get(i);
      Op done = event.ops.get(i);
      if (asked.kind() != done.kind() || !asked.key().equals(done.key())) {
        return "an end has the operations of its invocation: " + asked + ", " + done;
      }
      if (asked.kind().isWrite() && !asked.equals(done)) {
        return "an end writes what its invocation said: " + asked + ", " + done;
      }
      if (!asked.kind().isWrite() && asked.executed()) {
        return "an invocation has read nothing yet: " + asked;
      }
      if (status == Txn.Status.OK && !done.executed()) {
        return "a committed transaction has executed all: " + done;
      }
    }
    txns.add(txn(invoke, status, event.time, event.error, event.ops));
    return null;
  }

  private static Txn txn(
      Event invoke, Txn.Status status, long endNanos, String error, List<Op> ops) {
    return new Txn(
        invoke.index,
        invoke.process,
        invoke.node,
        status,
        invoke.time,
        endNanos,
        invoke.fin,
        error,
        ops);
  }
}
