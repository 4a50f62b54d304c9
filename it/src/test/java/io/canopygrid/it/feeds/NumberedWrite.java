package io.canopygrid.it.feeds;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Change;
import io.canopygrid.ChangeSet;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All that a transaction writes besides its own row, which says so: whoever reads that row knows
 * whether something is missing.
 *
 * @param number the transaction's own
 * @param values what is written to each key; empty: the key is removed
 */
record NumberedWrite(int number, Map<String, Optional<String>> values) {
  private static final String INDEX = "followed";
  private static final String ROW = "tx-";
  private static final String ACCOUNT = "account-";

  static String account(int number) {
    return String.format("%s%05d", ACCOUNT, number);
  }

  static boolean isAccount(String key) {
    return key.startsWith(ACCOUNT);
  }

  static String entry(int number) {
    return String.format("entry-%05d", number);
  }

  /** The index that all of it is written to, where it is or was created. */
  static Index<String, String> index(Canopy db) {
    return db.index(INDEX, Codec.string(), Codec.string());
  }

  /** The key of the transaction's own row. */
  String row() {
    return ROW + number;
  }

  /** The value of the transaction's own row. */
  String text() {
    return values.entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue().orElse(""))
        .collect(Collectors.joining(","));
  }

  /** The writes of a transaction by its own row; the whole of it must have been told. */
  static NumberedWrite of(ChangeSet<String, String> set) {
    List<Change<String, String>> rows =
        set.changes().stream().filter(change -> change.key().startsWith(ROW)).toList();
    assertThat(rows).as("%s", set).hasSize(1);
    Change<String, String> row = rows.get(0);
    assertThat(row.before()).as("%s", set).isNull();
    Map<String, Optional<String>> written = new TreeMap<>();
    for (String one : String.valueOf(row.after()).split(",", -1)) {
      int equals = one.indexOf('=');
      String value = one.substring(equals + 1);
      written.put(
          one.substring(0, equals), value.isEmpty() ? Optional.empty() : Optional.of(value));
    }
    Map<String, Optional<String>> told = new TreeMap<>();
    for (Change<String, String> change : set.changes()) {
      if (!change.key().equals(row.key())) {
        told.put(change.key(), Optional.ofNullable(change.after()));
      }
    }
    assertThat(told).as("whole: %s", row).isEqualTo(written);
    return new NumberedWrite(Integer.parseInt(row.key().substring(ROW.length())), written);
  }
}
