package io.canopygrid.table;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.TableReport;
import io.canopygrid.TableReport.Depth;
import io.canopygrid.TableReport.Difference;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.typed.OpenTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Compares the indexes of a table with its rows, in bounded transactions that only read.
 *
 * <p>A row and its entries are read in one snapshot, and so are an entry and its row. In every
 * snapshot they agree, so a difference is one whatever is written meanwhile. The rows lead to the
 * entries that are not there, the entries to those that should not be.
 */
final class TableChecks<K, R> {
  private final Canopy canopy;
  private final TableSchema<K, R> schema;
  private final TableBatches batches;

  TableChecks(Canopy canopy, TableSchema<K, R> schema, TableBatches batches) {
    this.canopy = canopy;
    this.schema = schema;
    this.batches = batches;
  }

  TableReport run(int differencesMost) {
    if (differencesMost < 0) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "differencesMost is 0 or more: " + differencesMost);
    }
    List<CheckedIndex> indexes = new ArrayList<>();
    for (TableState.Kept index : state().current()) {
      indexes.add(checked(index));
    }
    indexes.sort(Comparator.comparing(index -> index.index().name()));
    Run run = new Run(indexes, differencesMost);
    run.pieces((piece, from) -> piece.ofRows(indexes, from, batches.rows()));
    for (CheckedIndex index : indexes) {
      if (index.isCompared()) {
        run.pieces((piece, from) ->
            index.isCompared() ? piece.ofEntries(index, from, batches.rows()) : Optional.empty());
      }
    }
    return run.result();
  }

  private TableState state() {
    return canopy.<TableState, RuntimeException>read(
        TableBuilds.PATIENT, tx -> schema.stateIn((OpenTransaction) tx));
  }

  private CheckedIndex checked(TableState.Kept index) {
    if (!schema.isDeclared(index.name())) {
      EntryParts parts = EntryParts.of(index, schema.rows().keyCodec().id()).orElse(null);
      return new CheckedIndex(index, Depth.ENTRIES, parts);
    }
    EntryParts parts = EntryParts.of(schema.definitionOf(index), schema.rows().keyCodec());
    return new CheckedIndex(index, Depth.FULL, parts);
  }

  /** One check. */
  private final class Run {
    private final List<CheckedIndex> indexes;
    private final int differencesMost;
    private final List<Difference> differences = new ArrayList<>();
    private long rows;

    Run(List<CheckedIndex> indexes, int differencesMost) {
      this.indexes = indexes;
      this.differencesMost = differencesMost;
    }

    /** Runs pieces one after the other, each from where the one before it says. */
    void pieces(BiFunction<CheckPiece<K, R>, byte[], Optional<byte[]>> compare) {
      Optional<byte[]> from = Optional.of(new byte[0]);
      while (from.isPresent()) {
        byte[] begin = from.get();
        from = despiteDrops(() -> one(compare, begin));
      }
    }

    private Optional<byte[]> one(
        BiFunction<CheckPiece<K, R>, byte[], Optional<byte[]>> compare, byte[] from) {
      Compared<K, R> compared =
          canopy.<Compared<K, R>, RuntimeException>read(
              TableBuilds.PATIENT,
              tx -> {
                CheckPiece<K, R> piece =
                    new CheckPiece<>(
                        new TypedTableReadView<>((OpenTransaction) tx, schema),
                        differencesMost - differences.size());
                return new Compared<>(piece, compare.apply(piece, from));
              });
      rows += compared.piece().rowsRead();
      differences.addAll(compared.piece().differences());
      compared.piece().findings().forEach(CheckedIndex::add);
      return compared.next();
    }

    /** Runs a piece again where an index that it wanted was dropped since its snapshot. */
    private Optional<byte[]> despiteDrops(Supplier<Optional<byte[]>> piece) {
      while (true) {
        try {
          return piece.get();
        } catch (CanopyException e) {
          if (e.code() != ErrorCode.UNKNOWN_INDEX || !isAnyDropped()) {
            throw e;
          }
        }
      }
    }

    private boolean isAnyDropped() {
      TableState now = state();
      boolean any = false;
      for (CheckedIndex index : indexes) {
        any |= index.isCompared() && !index.isUnchanged(now);
      }
      return any;
    }

    TableReport result() {
      return new TableReport(
          rows, indexes.stream().map(CheckedIndex::result).toList(), differences);
    }
  }

  /** A piece that is compared, and where the next one begins. */
  private record Compared<K, R>(CheckPiece<K, R> piece, Optional<byte[]> next) {}
}
