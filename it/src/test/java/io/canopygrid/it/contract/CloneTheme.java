package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.IndexClone;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** The common parts of the themes about clones. */
@NullUnmarked // bodies return null, and answers are compared as they are
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class CloneTheme extends Theme {
  static final TransactionOptions PATIENT = TransactionOptions.DEFAULTS.withMaxAttempts(10_000);

  /** The name of this test's clone. */
  final String clone = name + "-clone";

  CloneTheme(ContractGrid grid) {
    super(grid);
  }

  @AfterEach
  final void drop() {
    db.clones().stream()
        .map(IndexClone::name)
        .filter(each -> each.startsWith(name))
        .forEach(db::dropIndex);
  }

  static Index<String, String> opened(Canopy handle, String name) {
    return handle.index(name, Codec.string(), Codec.string());
  }

  /** A clone of this test's index as it is. */
  final Index<String, String> cloned() {
    db.cloneIndex(clone, CloneSource.of(name));
    return opened(db, clone);
  }

  final void write(Index<String, String> to, Action<MutableView<String, String>> action) {
    db.run(tx -> action.on(tx.on(to)));
  }

  final String get(Index<String, String> from, String key) {
    return db.<String, RuntimeException>read(tx -> tx.on(from).get(key));
  }

  static NavigableMap<String, String> entries(
      Canopy handle, Index<String, String> from, TransactionOptions options) {
    return handle.<NavigableMap<String, String>, RuntimeException>read(
        options, tx -> entries(tx.on(from)));
  }

  final NavigableMap<String, String> entries(Index<String, String> from) {
    return entries(db, from, TransactionOptions.DEFAULTS);
  }

  static NavigableMap<String, String> entries(ReadView<String, String> view) {
    NavigableMap<String, String> found = new TreeMap<>();
    try (Cursor<String, String> all = view.scan(Range.all())) {
      all.forEach(e -> assertThat(found.put(e.getKey(), e.getValue())).isNull());
    }
    return found;
  }

  static NavigableMap<String, String> alphabet() {
    NavigableMap<String, String> letters = new TreeMap<>();
    for (char c = 'a'; c <= 'z'; c++) {
      letters.put(String.valueOf(c), String.valueOf(Character.toUpperCase(c)));
    }
    return letters;
  }

  static String key(int i) {
    return "k" + (1_000 + i);
  }
}
