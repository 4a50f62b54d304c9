package io.canopygrid.table;

import io.canopygrid.TableReport.Difference;
import io.canopygrid.TableReport.Kind;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.KeyText;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of a table that one transaction compares: some rows with their entries, or some entries
 * with their rows. All of it is of one snapshot. Confined to the transaction's thread.
 */
final class CheckPiece<K, R> {
  private final TypedTableReadView<K, R> view;
  private final TableSchema<K, R> schema;
  private final EngineView rows;
  private final int differencesMost;
  private final Map<CheckedIndex, IndexFindings> findings = new LinkedHashMap<>();
  private final List<Difference> differences = new ArrayList<>();
  private long rowsRead;

  /** A piece in a transaction that describes so many differences at most. */
  CheckPiece(TypedTableReadView<K, R> view, int differencesMost) {
    this.view = view;
    this.schema = view.schema;
    this.rows = view.transaction.engine().on(schema.rows().opened());
    this.differencesMost = differencesMost;
  }

  long rowsRead() {
    return rowsRead;
  }

  Map<CheckedIndex, IndexFindings> findings() {
    return findings;
  }

  List<Difference> differences() {
    return differences;
  }

  /**
   * Looks for the entries of some rows.
   *
   * @param most most rows
   * @return where the next piece begins; empty: these were the last rows
   */
  Optional<byte[]> ofRows(List<CheckedIndex> indexes, byte[] from, int most) {
    List<CheckedIndex> full = new ArrayList<>();
    for (CheckedIndex index : indexes) {
      if (index.isFull() && index.isUnchanged(view.state())) {
        full.add(index);
      }
    }
    List<byte[][]> some = view.some(schema.rows().opened(), from, most);
    for (byte[][] row : some) {
      rowsRead++;
      full.forEach(index -> compareRow(index, row[0], row[1]));
    }
    return next(some, most);
  }

  /** The same for some entries of an index, whose rows are looked for. */
  Optional<byte[]> ofEntries(CheckedIndex index, byte[] from, int most) {
    if (!index.isUnchanged(view.state())) {
      return Optional.empty();
    }
    OpenIndex storage = schema.storageOf(index.index());
    if (storage == null) {
      throw schema.unknown(index.index().name());
    }
    List<byte[][]> some = view.some(storage, from, most);
    for (byte[][] entry : some) {
      findingsOf(index).readEntry();
      compareEntry(index, entry[0], entry[1]);
    }
    return next(some, most);
  }

  private static Optional<byte[]> next(List<byte[][]> some, int most) {
    return some.size() < most
        ? Optional.empty()
        : Optional.of(KeyRange.successor(some.get(some.size() - 1)[0]));
  }

  private IndexFindings findingsOf(CheckedIndex index) {
    return findings.computeIfAbsent(index, any -> new IndexFindings());
  }

  private void compareRow(CheckedIndex index, byte[] key, byte[] row) {
    TableEntries<?, K, R> entries = schema.entriesOf(index.index());
    Map<byte[], byte[]> expected;
    try {
      expected = expected(entries, key, row);
    } catch (RuntimeException e) {
      found(index, Kind.UNREADABLE, "", keyText(key), String.valueOf(e.getMessage()));
      return;
    }
    EngineView stored = view.transaction.engine().on(entries.storage());
    expected.forEach((entry, value) -> {
      byte[] there = stored.get(entry);
      byte @Nullable [] owner = index.parts().unique() ? ownerOf(entry, there, index) : key;
      if (there == null || !Arrays.equals(owner, key)) {
        withoutEntry(index, entries, entry, key, owner);
      } else if (!Arrays.equals(there, value)) {
        found(index, Kind.COVERED, attributeText(index, entry), keyText(key), "");
      }
    });
  }

  /** The entries that a row must have; it fails as the codecs or the definition fail. */
  private Map<byte[], byte[]> expected(TableEntries<?, K, R> entries, byte[] key, byte[] row) {
    K primary = schema.rows().entries().decodeKey(key);
    return entries.of(key, primary, schema.rows().entries().decodeValue(row));
  }

  /** The key of the row that an entry of a unique index is of; null: there is none that says so. */
  private static byte @Nullable [] ownerOf(
      byte[] entry, byte @Nullable [] value, CheckedIndex index) {
    try {
      return value == null ? null : index.parts().of(entry, value).key();
    } catch (MalformedBytesException e) {
      return null;
    }
  }

  private void withoutEntry(
      CheckedIndex index,
      TableEntries<?, K, R> entries,
      byte[] entry,
      byte[] key,
      byte @Nullable [] owner) {
    Map<byte[], byte[]> here = findingsOf(index).withoutEntry();
    String attribute = attributeText(index, entry);
    if (index.parts().unique()) {
      for (byte[] other : new byte[][] {owner, here.get(entry), index.rowWithout(entry)}) {
        if (other != null && !Arrays.equals(other, key) && hasEntry(entries, entry, other)) {
          found(index, Kind.DUPLICATE, attribute, keyText(key), keyText(other));
          return;
        }
      }
      here.putIfAbsent(entry, key);
    }
    found(index, Kind.MISSING, attribute, keyText(key), "");
  }

  /** Whether a row must have an entry of this key. */
  private boolean hasEntry(TableEntries<?, K, R> entries, byte[] entry, byte[] key) {
    byte[] row = rows.get(key);
    try {
      return row != null && expected(entries, key, row).containsKey(entry);
    } catch (RuntimeException e) {
      return false; // it is found where the row itself is compared
    }
  }

  private void compareEntry(CheckedIndex index, byte[] entry, byte[] value) {
    EntryParts.Parts parts;
    try {
      parts = index.parts().of(entry, value);
    } catch (MalformedBytesException e) {
      String bytes = "0x" + HexFormat.of().formatHex(entry);
      found(index, Kind.UNREADABLE, bytes, "", String.valueOf(e.getMessage()));
      return;
    }
    byte[] row = rows.get(parts.key());
    if (row == null) {
      found(
          index,
          Kind.ORPHAN,
          index.parts().attributeText(parts.attribute()),
          keyText(parts.key()),
          "");
    } else if (index.isFull() && isStale(index, entry, parts.key(), row)) {
      found(
          index,
          Kind.STALE,
          index.parts().attributeText(parts.attribute()),
          keyText(parts.key()),
          "");
    }
  }

  private boolean isStale(CheckedIndex index, byte[] entry, byte[] key, byte[] row) {
    try {
      return !expected(schema.entriesOf(index.index()), key, row).containsKey(entry);
    } catch (RuntimeException e) {
      return false;
    }
  }

  private String attributeText(CheckedIndex index, byte[] entry) {
    return index.parts().attributeText(index.parts().attributeOf(entry));
  }

  private String keyText(byte[] key) {
    return KeyText.of(schema.rows().keyCodec(), key);
  }

  private void found(CheckedIndex index, Kind kind, String attribute, String key, String detail) {
    findingsOf(index).count(kind);
    if (differences.size() < differencesMost) {
      differences.add(new Difference(index.index().name(), kind, attribute, key, detail));
    }
  }
}
