package io.canopygrid.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.history.Txn.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operations on single keys are linearizable or not; the checker and the definition agree. */
final class SingleKeysTest {
  private static final int HISTORIES = 20_000;
  private static final int OPERATIONS_MAX = 6;

  @TempDir private Path directory;

  private static Txn txn(int index, Status status, long start, long end, Op op) {
    long until = status == Status.INFO ? Long.MAX_VALUE : end;
    return new Txn(index, index, "", status, start, until, false, "", List.of(op));
  }

  private static Verdict check(List<Txn> txns) {
    return SingleKeys.check(txns);
  }

  @Test
  void aStaleReadIsFoundAndTold() {
    Verdict verdict =
        check(
            List.of(
                txn(0, Status.OK, 0, 1, Op.write("x", 1)),
                txn(1, Status.OK, 2, 3, Op.write("x", 2)),
                txn(2, Status.OK, 4, 5, Op.read("x").saw(1))));

    assertThat(verdict.counts()).containsOnlyKeys(Anomaly.NOT_LINEARIZABLE);
    assertThat(verdict.findings().get(0).words())
        .contains("3 operations on x", "T2 (read-only, process 2) r x=[1]", "leaves the value 2");
  }

  @Test
  void overlappingOperationsMayTakeAnyOrder() {
    Verdict verdict =
        check(
            List.of(
                txn(0, Status.OK, 0, 9, Op.write("x", 1)),
                txn(1, Status.OK, 1, 8, Op.write("x", 2)),
                txn(2, Status.OK, 2, 3, Op.read("x").saw(2)),
                txn(3, Status.OK, 4, 5, Op.read("x").saw(1)),
                txn(4, Status.INFO, 6, 0, Op.delete("x")),
                txn(5, Status.OK, 7, 8, Op.read("x").saw()),
                txn(6, Status.FAIL, 10, 11, Op.cas("x", 5, 1))));

    assertThat(verdict.result()).isEqualTo(Verdict.Result.VALID);
  }

  @Test
  void agreesWithTheDefinition() {
    int right = 0;
    for (long seed = 0; seed < HISTORIES; seed++) {
      List<Txn> txns = random(new Random(seed));
      boolean expected = explained(txns, new ArrayList<>(), null);

      assertThat(check(txns).clean()).as("seed %s: %s", seed, txns).isEqualTo(expected);
      right += expected ? 1 : 0;
    }
    assertThat(right).isBetween(HISTORIES / 10, HISTORIES * 9 / 10);
  }

  private static List<Txn> random(Random random) {
    List<Txn> txns = new ArrayList<>();
    int operations = 1 + random.nextInt(OPERATIONS_MAX);
    for (int i = 0; i < operations; i++) {
      long start = random.nextInt(12);
      Status status = random.nextInt(5) == 0 ? Status.INFO : Status.OK;
      long value = random.nextInt(3);
      Op op =
          switch (random.nextInt(5)) {
            case 0 -> Op.write("x", value);
            case 1 -> Op.cas("x", value, random.nextInt(3));
            case 2 -> Op.delete("x");
            case 3 -> Op.read("x").saw();
            default -> Op.read("x").saw(value);
          };
      txns.add(txn(i, status, start, start + 1 + random.nextInt(6), op));
    }
    Collections.sort(txns, (a, b) -> Long.compare(a.startNanos(), b.startNanos()));
    return txns;
  }

  /** Whether some order of the rest, in which unknown ones may be missing, explains all of it. */
  private static boolean explained(List<Txn> all, List<Txn> placed, @Nullable Long value) {
    boolean done =
        all.stream().allMatch(txn -> placed.contains(txn) || txn.status() == Status.INFO);
    if (done) {
      return true;
    }
    for (Txn next : all) {
      boolean waits =
          all.stream().anyMatch(txn -> !placed.contains(txn) && txn.endNanos() < next.startNanos());
      if (placed.contains(next) || waits) {
        continue;
      }
      Op op = next.ops().get(0);
      boolean known = next.status() == Status.OK;
      Long after = value;
      boolean fits = true;
      switch (op.kind()) {
        case WRITE -> after = op.element();
        case DELETE -> after = null;
        case CAS -> {
          boolean holds = Objects.equals(value, op.observed()[1]);
          fits = holds || !known;
          after = holds ? Long.valueOf(op.element()) : value;
        }
        default ->
            fits =
                !known
                    || (op.observed().length == 0
                        ? value == null
                        : Objects.equals(value, op.element()));
      }
      if (fits) {
        placed.add(next);
        boolean found = explained(all, placed, after);
        placed.remove(placed.size() - 1);
        if (found) {
          return true;
        }
      }
    }
    return false;
  }

  private History read(String events) throws IOException {
    String header =
        "{'canopy_history':1,'workload':'single-key','seed':1,'nodes':['n1'],'owners':1}";
    Path file = directory.resolve("history");
    Files.writeString(file, (header + "\n" + events).replace('\'', '"'));
    return HistoryReader.read(file);
  }

  @Test
  void readsTheDocumentedForm() throws IOException {
    History history =
        read(
            """
            {'index':0,'time':1,'process':1,'type':'invoke','f':'write','key':'x','value':3}
            {'index':1,'time':2,'process':1,'type':'ok','f':'write','key':'x','value':3}
            {'index':2,'time':3,'process':1,'type':'invoke','f':'cas','key':'x','value':4,'old':3}
            {'index':3,'time':4,'process':2,'type':'invoke','f':'read','key':'x','value':null}
            {'index':4,'time':5,'process':2,'type':'ok','f':'read','key':'x','value':4}
            {'index':5,'time':6,'process':1,'type':'info','f':'cas','key':'x','value':4,'old':3}
            {'index':6,'time':7,'process':2,'type':'invoke','f':'delete','key':'x'}
            {'index':7,'time':8,'process':2,'type':'ok','f':'delete','key':'x'}
            {'index':8,'time':9,'process':2,'type':'invoke','f':'read','key':'x','value':null}
            {'index':9,'time':10,'process':2,'type':'ok','f':'read','key':'x','value':null}
            """);

    assertThat(history.txns())
        .extracting(txn -> txn.ops().get(0))
        .containsExactly(
            Op.write("x", 3),
            Op.cas("x", 4, 3),
            Op.read("x").saw(4),
            Op.delete("x"),
            Op.read("x").saw());
    assertThat(HistoryChecker.check(history, Model.EXTENDED_UPDATE_SERIALIZABLE, false).result())
        .isEqualTo(Verdict.Result.VALID);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'f':'txn','key':'x','value':1    | f must be read, write, cas or delete",
        "'f':'write','value':1            | needs a key",
        "'f':'write','key':'x'            | a write needs value",
        "'f':'cas','key':'x','value':1    | a cas value and old",
        "'f':'write','key':'x','value':[] | must be an integer or null",
      })
  void refusesWhatBreaksARule(String fields, String message) {
    String event = "{'index':0,'time':1,'process':1,'type':'invoke'," + fields + "}";

    assertThatThrownBy(() -> read(event))
        .isInstanceOf(MalformedHistoryException.class)
        .hasMessageContaining(message);
  }
}
