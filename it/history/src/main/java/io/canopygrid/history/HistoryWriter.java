package io.canopygrid.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes a history while it happens. Thread-safe: index and time are given under its lock, so that
 * lines, indexes and times all grow in the same order. Updates reach the file before they begin and
 * when they are acknowledged, so that a killed process hides none; other lines at least every
 * second as long as something is written, and when it is closed.
 */
public final class HistoryWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final long FLUSH_NANOS = 1_000_000_000L;

  private final OutputStream out;
  private final JsonGenerator json;
  private final LongSupplier clockNanos;
  private final boolean registers;
  private long index;
  private long flushedNanos;

  /**
   * Creates the file and writes its first line.
   *
   * @param clockNanos since the start of the run; never goes back
   */
  public HistoryWriter(Path file, HistoryHeader header, LongSupplier clockNanos)
      throws IOException {
    this.out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES);
    this.json = new JsonFactory().createGenerator(out);
    json.setRootValueSeparator(null);
    this.clockNanos = clockNanos;
    this.registers = header.workload() == Workload.RW_REGISTER;
    writeHeader(header);
  }

  private void writeHeader(HistoryHeader header) throws IOException {
    json.writeStartObject();
    json.writeNumberField("canopy_history", 1);
    json.writeStringField("workload", header.workload().label());
    json.writeNumberField("seed", header.seed());
    json.writeArrayFieldStart("nodes");
    for (String node : header.nodes()) {
      json.writeString(node);
    }
    json.writeEndArray();
    json.writeNumberField("owners", header.owners());
    json.writeStringField("version", header.version());
    json.writeStringField("fault", header.fault());
    json.writeStringField("started", header.started());
    json.writeEndObject();
    json.writeRaw('\n');
    json.flush();
  }

  /**
   * Records that a client is about to run a transaction.
   *
   * @param process the client: from here on it runs nothing else until the end is recorded
   * @param fin whether it is a read of the end of the run
   */
  public synchronized void invoke(long process, String node, boolean fin, List<Op> ops)
      throws IOException {
    boolean readOnly = ops.stream().noneMatch(op -> op.kind().isWrite());
    start(clockNanos.getAsLong(), process, "invoke", node, fin);
    json.writeBooleanField("ro", readOnly);
    end(ops, true);
    if (!readOnly) {
      // Before it can have an effect: the process may be killed any time.
      json.flush();
    }
  }

  /** Records what was done to the cluster: a word, and to which nodes or how. */
  public synchronized void fault(String word, List<String> values) throws IOException {
    json.writeStartObject();
    json.writeNumberField("index", index++);
    json.writeNumberField("time", clockNanos.getAsLong());
    json.writeStringField("process", "nemesis");
    json.writeStringField("type", "info");
    json.writeStringField("f", word);
    json.writeArrayFieldStart("value");
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeRaw('\n');
    json.flush();
  }

  /**
   * Records how it ended: the same operations, reads with what they observed.
   *
   * @param error short code, null after {@link Txn.Status#OK}
   */
  public synchronized void complete(
      long process,
      String node,
      boolean fin,
      Txn.Status status,
      @Nullable String error,
      List<Op> ops)
      throws IOException {
    long now = clockNanos.getAsLong();
    start(now, process, status.label(), node, fin);
    if (error != null) {
      json.writeStringField("error", error);
    }
    end(ops, status != Txn.Status.OK);
    boolean acknowledged =
        status == Txn.Status.OK && ops.stream().anyMatch(op -> op.kind().isWrite());
    if (acknowledged || now - flushedNanos > FLUSH_NANOS) {
      json.flush();
      flushedNanos = now;
    }
  }

  private void start(long now, long process, String type, String node, boolean fin)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("index", index++);
    json.writeNumberField("time", now);
    json.writeNumberField("process", process);
    json.writeStringField("type", type);
    json.writeStringField("f", "txn");
    if (!node.isEmpty()) {
      json.writeStringField("node", node);
    }
    if (fin) {
      json.writeBooleanField("final", true);
    }
  }

  private void end(List<Op> ops, boolean mayBeNull) throws IOException {
    json.writeArrayFieldStart("value");
    for (Op op : ops) {
      json.writeStartArray();
      json.writeString(op.kind().label());
      json.writeString(op.key());
      writeValues(op, mayBeNull);
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void writeValues(Op op, boolean mayBeNull) throws IOException {
    if (op.kind().isWrite()) {
      json.writeNumber(op.element());
    } else if (op.values() == null) {
      if (!mayBeNull) {
        throw new IllegalArgumentException("a committed transaction has executed all: " + op);
      }
      json.writeNull();
    } else if (registers && op.observed().length == 0) {
      json.writeNull();
    } else if (registers) {
      json.writeNumber(op.observed()[0]);
    } else {
      json.writeArray(op.observed(), 0, op.observed().length);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    json.close();
  }
}
