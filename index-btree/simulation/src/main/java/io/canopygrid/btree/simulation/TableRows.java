package io.canopygrid.btree.simulation;

import io.canopygrid.Codec;
import io.canopygrid.Covering;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexEntry;
import io.canopygrid.IndexView;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.Tuple;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.wire.ByteReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rows with a tag, a mail and the number of the commit that wrote them, as text of one length, and
 * the indexes by them: plain, unique, covering, partial, and one that not every row can be in.
 */
final class TableRows {
  static final int KEYS = 9;

  private static final int TAG_AT = 4;

  /** The tag of rows that one index does not take. */
  private static final char BAD = 'x';

  /** The tag of rows that one index leaves out. */
  private static final char APART = 'c';

  private static final Covering<String, String> ROW = Covering.of(Codec.string(), row -> row);

  private final IndexDefinition<String, String> tags =
      IndexDefinition.of("tag", Codec.string(), TableRows::tag);

  private final IndexDefinition<String, String> mails;

  private final IndexDefinition<String, String> both =
      IndexDefinition.<String, String>ofMany(
              "both", Codec.string(), row -> List.of(tag(row), mail(row)))
          .where(row -> row.charAt(TAG_AT) != APART)
          .covering(ROW);

  private final IndexDefinition<String, String> picky =
      IndexDefinition.of("picky", Codec.string(), TableRows::picked);

  private final List<IndexDefinition<String, String>> indexes;

  /**
   * Rows of a run.
   *
   * @param pause runs where the unique index asks for an attribute, so that a build takes time
   */
  TableRows(Runnable pause) {
    mails =
        IndexDefinition.<String, String>of(
                "mail",
                Codec.string(),
                row -> {
                  pause.run();
                  return mail(row);
                })
            .unique()
            .covering(ROW);
    indexes = List.of(tags, mails, both, picky);
  }

  /** All indexes that there can be. */
  List<IndexDefinition<String, String>> indexes() {
    return indexes;
  }

  /** The unique one, by mails. */
  IndexDefinition<String, String> unique() {
    return mails;
  }

  static String random(SeededRandom random, int number) {
    char tag = random.chance(0.08) ? BAD : "abc".charAt(random.below(3));
    return String.format(Locale.ROOT, "row:%c|m%02d|%05d", tag, random.below(2 * KEYS), number);
  }

  private static String tag(String row) {
    return row.substring(TAG_AT, TAG_AT + 1);
  }

  static String mail(String row) {
    return row.substring(6, 9);
  }

  private static String picked(String row) {
    if (row.charAt(TAG_AT) == BAD) {
      throw new HandleWork.Refused("no index for " + row);
    }
    return mail(row);
  }

  IndexDefinition<String, String> find(String name) {
    for (IndexDefinition<String, String> each : indexes) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw new IllegalStateException("no such index: " + name);
  }

  /** The entries that an index has to have, as texts; empty where it must not be there. */
  List<String> expected(IndexDefinition<String, String> index, Map<Long, String> rows) {
    Set<String> attributes = new HashSet<>();
    for (String row : rows.values()) {
      boolean bad = index == picky && row.charAt(TAG_AT) == BAD;
      if (bad || (index.isUnique() && !attributes.add(mail(row)))) {
        return List.of();
      }
    }
    return possible(index, rows);
  }

  /** The entries of those rows that can be in an index. */
  List<String> possible(IndexDefinition<String, String> index, Map<Long, String> rows) {
    List<String> entries = new ArrayList<>();
    rows.forEach((key, row) -> {
      if (index != picky || row.charAt(TAG_AT) != BAD) {
        String covered = index == mails || index == both ? row : "";
        Collection<? extends String> attributes =
            index == mails ? List.of(mail(row)) : index.attributesOf(row);
        attributes.forEach(one -> entries.add(text(one, key, covered)));
      }
    });
    entries.sort(null);
    return entries;
  }

  /** The entries that a finished index has. */
  List<String> found(IndexDefinition<String, String> index, IndexView<String, Long, String> view) {
    List<String> entries = new ArrayList<>();
    try (Stream<IndexEntry<String, Long>> scan = view.scan(Range.all())) {
      scan.forEach(entry -> {
        String covered = index == mails || index == both ? entry.covered(ROW) : "";
        entries.add(text(entry.attribute(), entry.key(), covered));
      });
    }
    return entries;
  }

  /** The entries that are stored for a unique index, whatever its state is. */
  static List<String> unique(ReadView<String, byte[]> stored) {
    List<String> entries = new ArrayList<>();
    stored
        .scan()
        .forEach(entry -> {
          ByteReader value = new ByteReader(entry.getValue());
          long key = Codec.int64().decode(value.readBytes());
          String covered = Codec.string().decode(value.readBytes());
          entries.add(text(entry.getKey(), key, covered));
        });
    return entries;
  }

  /** The entries that are stored for any other index. */
  static List<String> many(ReadView<Tuple, byte[]> stored) {
    List<String> entries = new ArrayList<>();
    stored
        .scan()
        .forEach(entry -> {
          Tuple key = entry.getKey();
          String covered = Codec.string().decode(entry.getValue());
          entries.add(text(key.get(0, String.class), key.get(1, Long.class), covered));
        });
    return entries;
  }

  private static String text(String attribute, long key, String covered) {
    return String.format(Locale.ROOT, "%s of %03d %s", attribute, key, covered);
  }
}
