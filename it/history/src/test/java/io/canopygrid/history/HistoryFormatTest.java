package io.canopygrid.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.canopygrid.history.Txn.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The form {@code canopy-history/1}: what is written is read back; what breaks a rule is refused.
 */
final class HistoryFormatTest {
  private static final String HEADER =
      "{\"canopy_history\":1,\"workload\":\"list-append\",\"seed\":42,\"nodes\":[\"n1\",\"n2\"],"
          + "\"owners\":2,\"version\":\"abc\",\"fault\":\"none\",\"started\":\"2026-01-01\"}";

  @TempDir private Path directory;

  private static HistoryHeader header(Workload workload) {
    return new HistoryHeader(workload, 42, List.of("n1", "n2"), 2, "abc", "none", "2026-01-01");
  }

  @Test
  void writesTheDocumentedLines() throws IOException {
    Path file = directory.resolve("history");
    AtomicLong clock = new AtomicLong(1_199);
    List<Op> ops = List.of(Op.read("x"), Op.append("x", 17));
    try (HistoryWriter writer =
        new HistoryWriter(file, header(Workload.LIST_APPEND), clock::incrementAndGet)) {
      writer.invoke(3, "n1", false, ops);
      writer.complete(
          3, "n1", false, Status.OK, null, List.of(Op.read("x").saw(4, 9), Op.append("x", 17)));
      writer.invoke(4, "n1", true, ops);
      writer.complete(4, "n1", true, Status.FAIL, "conflict", ops);
    }

    assertThat(Files.readAllLines(file))
        .containsExactly(
            HEADER,
            "{\"index\":0,\"time\":1200,\"process\":3,\"type\":\"invoke\",\"f\":\"txn\","
                + "\"node\":\"n1\",\"ro\":false,\"value\":[[\"r\",\"x\",null],[\"append\",\"x\",17]]}",
            "{\"index\":1,\"time\":1201,\"process\":3,\"type\":\"ok\",\"f\":\"txn\","
                + "\"node\":\"n1\",\"value\":[[\"r\",\"x\",[4,9]],[\"append\",\"x\",17]]}",
            "{\"index\":2,\"time\":1202,\"process\":4,\"type\":\"invoke\",\"f\":\"txn\","
                + "\"node\":\"n1\",\"final\":true,\"ro\":false,"
                + "\"value\":[[\"r\",\"x\",null],[\"append\",\"x\",17]]}",
            "{\"index\":3,\"time\":1203,\"process\":4,\"type\":\"fail\",\"f\":\"txn\","
                + "\"node\":\"n1\",\"final\":true,\"error\":\"conflict\","
                + "\"value\":[[\"r\",\"x\",null],[\"append\",\"x\",17]]}");
  }

  @Test
  void readsBackWhatItWrote() throws IOException {
    for (Workload workload : EnumSet.complementOf(EnumSet.of(Workload.SINGLE_KEY))) {
      for (long seed = 0; seed < 50; seed++) {
        History history = SmallHistories.random(seed, workload);
        Path file = directory.resolve("history");
        write(history, file);

        assertThat(HistoryReader.read(file).txns())
            .as("%s, seed %s", workload, seed)
            .extracting(Txn::process, Txn::status, Txn::fin, Txn::ops)
            .containsExactlyElementsOf(
                history.txns().stream()
                    .map(txn ->
                        tuple(txn.process(), txn.status(), txn.fin(), recorded(txn, workload)))
                    .toList());
      }
    }
  }

  /**
   * The operations as the file gives them back: a failed transaction records null both for an
   * absent register and for a read that was not executed.
   */
  private static List<Op> recorded(Txn txn, Workload workload) {
    boolean alike = workload == Workload.RW_REGISTER && txn.status() != Status.OK;
    return txn.ops().stream()
        .map(op -> alike && op.observed().length == 0 ? new Op(op.kind(), op.key(), null) : op)
        .toList();
  }

  private static void write(History history, Path file) throws IOException {
    AtomicLong clock = new AtomicLong();
    try (HistoryWriter writer = new HistoryWriter(file, history.header(), clock::incrementAndGet)) {
      for (Txn txn : history.txns()) {
        List<Op> asked =
            txn.ops().stream()
                .map(op -> op.kind().isWrite() ? op : new Op(op.kind(), op.key(), null))
                .toList();
        writer.invoke(txn.process(), txn.node(), txn.fin(), asked);
        writer.complete(
            txn.process(),
            txn.node(),
            txn.fin(),
            txn.status(),
            txn.status() == Status.OK ? null : "conflict",
            txn.ops());
      }
    }
  }

  @Test
  void mergesPartsByTime() throws IOException {
    AtomicLong clock = new AtomicLong();
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    List<Op> ops = List.of(Op.append("x", 1));
    List<Op> others = List.of(Op.append("x", 2));
    try (HistoryWriter first =
            new HistoryWriter(one, header(Workload.LIST_APPEND), clock::incrementAndGet);
        HistoryWriter second =
            new HistoryWriter(two, header(Workload.LIST_APPEND), clock::incrementAndGet)) {
      first.invoke(1, "n1", false, ops);
      second.invoke(2, "n2", false, others);
      second.complete(2, "n2", false, Status.OK, null, others);
      first.complete(1, "n1", false, Status.OK, null, ops);
    }

    Path merged = directory.resolve("merged");
    HistoryMerge.merge(List.of(one, two), merged);

    assertThat(HistoryReader.read(merged).txns())
        .extracting(Txn::index, Txn::process, Txn::startNanos, Txn::endNanos)
        .containsExactly(tuple(0L, 1L, 1L, 4L), tuple(1L, 2L, 2L, 3L));
  }

  @Test
  void takesAMissingEndForUnknown() throws IOException {
    Path file = directory.resolve("history");
    Files.writeString(
        file,
        HEADER
            + "\n{\"index\":0,\"time\":1,\"process\":3,\"type\":\"invoke\",\"f\":\"txn\","
            + "\"value\":[[\"append\",\"x\",1]]}\n");

    assertThat(HistoryReader.read(file).txns())
        .extracting(Txn::status, Txn::error)
        .containsExactly(tuple(Status.INFO, "crash"));
  }

  @Test
  void keepsFaults() throws IOException {
    Path file = directory.resolve("history");
    Files.writeString(
        file,
        HEADER
            + "\n{\"index\":2,\"time\":9500,\"process\":\"nemesis\",\"type\":\"info\","
            + "\"f\":\"kill\",\"value\":[\"n2\"]}\n");

    assertThat(HistoryReader.read(file).faults())
        .containsExactly(new History.Fault(9_500, "kill", "[\"n2\"]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          index must grow      | [0,1,'invoke',[['append','x',1]]] [0,1,'ok',[['append','x',1]]]
          already runs         | [0,1,'invoke',[['append','x',1]]] [1,1,'invoke',[['append','x',2]]]
          did not begin        | [0,1,'ok',[['append','x',1]]]
          has retired          | [0,1,'invoke',[]] [1,1,'info',[]] [2,1,'invoke',[]]
          operations of its    | [0,1,'invoke',[['r','x',null]]] [1,1,'ok',[['r','y',[]]]]
          operations of its    | [0,1,'invoke',[['r','x',null]]] [1,1,'ok',[]]
          writes what its      | [0,1,'invoke',[['append','x',1]]] [1,1,'ok',[['append','x',2]]]
          has read nothing     | [0,1,'invoke',[['r','x',[1]]]] [1,1,'ok',[['r','x',[1]]]]
          executed all         | [0,1,'invoke',[['r','x',null]]] [1,1,'ok',[['r','x',null]]]
          must be invoke       | [0,1,'invoke',[]] [1,1,'done',[]]
          must be r, append    | [0,1,'invoke',[['cas','x',1]]]
          needs an integer     | [0,1,'invoke',[['append','x',null]]]
          does not fit         | [0,1,'invoke',[['r','x',null]]] [1,1,'ok',[['r','x',5]]]
          """)
  void refusesWhatBreaksARule(String message, String events) throws IOException {
    Path file = directory.resolve("history");
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    for (String event : events.replace('\'', '"').split(" ", -1)) {
      String[] parts = event.substring(1, event.length() - 1).split(",", 4);
      text.append("{\"index\":").append(parts[0]).append(",\"time\":5,\"process\":");
      text.append(parts[1])
          .append(",\"type\":")
          .append(parts[2])
          .append(",\"f\":\"txn\",\"value\":");
      text.append(parts[3]).append("}\n");
    }
    Files.writeString(file, text);

    assertThatThrownBy(() -> HistoryReader.read(file))
        .isInstanceOf(MalformedHistoryException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesAFileWithoutHeader() throws IOException {
    Path file = directory.resolve("history");
    Files.writeString(file, "{\"index\":0}\n");

    assertThatThrownBy(() -> HistoryReader.read(file))
        .isInstanceOf(MalformedHistoryException.class)
        .hasMessageContaining("canopy_history must be 1");
  }
}
