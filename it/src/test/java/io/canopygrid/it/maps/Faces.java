package io.canopygrid.it.maps;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.NavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.Feature;
import com.google.common.collect.testing.features.MapFeature;
import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import junit.framework.TestSuite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicNode;

/** Guava's suites on both faces of an index: in a transaction, and with one for each call. */
final class Faces {
  /** All that a map can do, apart from nulls, and from failing when it is changed under way. */
  private static final List<Feature<?>> FEATURES =
      List.of(
          MapFeature.GENERAL_PURPOSE,
          CollectionFeature.KNOWN_ORDER,
          CollectionFeature.SUPPORTS_ITERATOR_REMOVE);

  /** A descending sub-map is a sub-map of the descending map, which is tested. */
  private static final Predicate<String> TWICE =
      Pattern.compile("subMap.*descending").asPredicate();

  /** Sub-maps are the same code in both faces, so one face has them all. */
  private static final Predicate<String> SHARED =
      Pattern.compile("subMap (?!INCLUSIVE-EXCLUSIVE|EXCLUSIVE-INCLUSIVE)|descending.*subMap")
          .asPredicate();

  /** One test can wait for other work of the machine. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** More maps than a test makes at once. */
  private static final int INDEXES = 4;

  private final Canopy db;
  private final List<Index<String, String>> indexes;
  private int made;

  /** The transaction of the test under way, null where it has none. */
  private @Nullable Transaction open;

  Faces(Canopy db) {
    this.db = db;
    this.indexes =
        IntStream.range(0, INDEXES)
            .mapToObj(i -> db.index("suites-" + i, Codec.string(), Codec.string()))
            .toList();
  }

  private Index<String, String> next() {
    return indexes.get(made++ % INDEXES);
  }

  /** The suite of a map in a transaction. */
  Stream<DynamicNode> inTransaction() {
    TestSuite suite =
        NavigableMapTestSuiteBuilder.using(new Generator(this::emptyInTransaction))
            .named("in a transaction")
            .withFeatures(FEATURES)
            .withFeatures(CollectionSize.ANY)
            .createTestSuite();
    end(); // of the maps that were made to find the bounds of sub-maps
    return Suites.nodes(suite, TWICE, this::end);
  }

  private SortedMap<String, String> emptyInTransaction() {
    Transaction tx = open;
    if (tx == null) {
      tx = db.begin(TransactionOptions.DEFAULTS.withTimeout(PATIENCE));
      open = tx;
    }
    SortedMap<String, String> map = tx.on(next()).asNavigableMap();
    map.clear();
    return map;
  }

  private void end() {
    Transaction tx = open;
    open = null;
    if (tx != null) {
      tx.close();
    }
  }

  /** The suite of a map with a transaction for each call. */
  Stream<DynamicNode> autocommitting() {
    TestSuite suite =
        ConcurrentNavigableMapTestSuiteBuilder.using(new Generator(this::emptyAutocommitting))
            .named("autocommitting")
            .withFeatures(FEATURES)
            .withFeatures(CollectionSize.ANY)
            .createTestSuite();
    return Suites.nodes(suite, TWICE.or(SHARED), () -> {});
  }

  private SortedMap<String, String> emptyAutocommitting() {
    SortedMap<String, String> map = db.map(next());
    map.clear();
    return map;
  }

  /** Makes a map. */
  private interface Source {
    SortedMap<String, String> empty();
  }

  /** Maps with the entries that a test wants. */
  private static final class Generator extends TestStringSortedMapGenerator {
    private final Source source;

    Generator(Source source) {
      this.source = source;
    }

    @Override
    protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
      Map<String, String> wanted = new HashMap<>();
      for (Map.Entry<String, String> entry : entries) {
        wanted.put(entry.getKey(), entry.getValue());
      }
      SortedMap<String, String> map = source.empty();
      map.putAll(wanted);
      return map;
    }
  }
}
