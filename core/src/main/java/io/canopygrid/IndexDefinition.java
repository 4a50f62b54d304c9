package io.canopygrid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of each row that a secondary index of a {@link Table} has. Immutable, and thread-safe if
 * its functions are; these must depend on the row alone.
 *
 * <pre>{@code
 * IndexDefinition<Person, String> byCity = IndexDefinition.of("city", Codec.string(), Person::city);
 * IndexDefinition<Person, String> byMail =
 *     IndexDefinition.of("mail", Codec.string(), Person::mail).unique();
 * IndexDefinition<Person, Tuple> byName =
 *     IndexDefinition.of(
 *         "name",
 *         Codec.tuple(Codec.string(), Codec.string()),
 *         p -> Tuple.of(p.lastName(), p.firstName()));
 * }</pre>
 *
 * @param <R> rows
 * @param <A> the attribute by which they are found
 */
public final class IndexDefinition<R, A> {
  private final String name;
  private final Codec<A> attribute;
  private final Function<? super R, ? extends @Nullable Collection<? extends @Nullable A>>
      extractor;
  private final boolean unique;
  private final Predicate<? super R> where;
  private final @Nullable Covering<? super R, ?> covering;
  private final int revision;

  private IndexDefinition(
      String name,
      Codec<A> attribute,
      Function<? super R, ? extends @Nullable Collection<? extends @Nullable A>> extractor,
      boolean unique,
      Predicate<? super R> where,
      @Nullable Covering<? super R, ?> covering,
      int revision) {
    this.name = Arguments.notNull("the name of an index", name);
    this.attribute = Arguments.notNull("the codec of the attribute", attribute);
    this.extractor = Arguments.notNull("the extractor", extractor);
    this.unique = unique;
    this.where = Arguments.notNull("the condition", where);
    this.covering = covering;
    this.revision = revision;
    if (name.isEmpty() || name.length() > Limits.LABEL_MAX) {
      throw Arguments.invalid("the name of a table's index has 1 to " + Limits.LABEL_MAX);
    }
    if (!attribute.ordered()) {
      throw Arguments.invalid("codec " + attribute.id() + " keeps no order: index '" + name + "'");
    }
  }

  /**
   * An index by one attribute.
   *
   * @param name 1 to {@value Limits#LABEL_MAX} characters, unique in its table
   * @param attribute an ordered codec; one of tuples for a compound index
   * @param extractor the attribute of a row; null: the row is not in the index
   */
  public static <R, A> IndexDefinition<R, A> of(
      String name, Codec<A> attribute, Function<? super R, ? extends @Nullable A> extractor) {
    Arguments.notNull("the extractor", extractor);
    return ofMany(
        name,
        attribute,
        row -> {
          A one = extractor.apply(row);
          return one == null ? List.of() : List.of(one);
        });
  }

  /**
   * An index by any number of attributes of each row, as by its tags; equal ones count once, and
   * null is no attribute.
   *
   * @param extractor the attributes of a row; null: the row is not in the index
   */
  public static <R, A> IndexDefinition<R, A> ofMany(
      String name,
      Codec<A> attribute,
      Function<? super R, ? extends @Nullable Collection<? extends @Nullable A>> extractor) {
    return new IndexDefinition<>(name, attribute, extractor, false, row -> true, null, 0);
  }

  /** The same, but no two rows may have one attribute: {@link ErrorCode#UNIQUE_VIOLATION}. */
  public IndexDefinition<R, A> unique() {
    return new IndexDefinition<>(name, attribute, extractor, true, where, covering, revision);
  }

  /** The same for those rows only that meet a condition too, beside those given before. */
  public IndexDefinition<R, A> where(Predicate<? super R> condition) {
    Arguments.notNull("the condition", condition);
    Predicate<R> both = row -> where.test(row) && condition.test(row);
    return new IndexDefinition<>(name, attribute, extractor, unique, both, covering, revision);
  }

  /**
   * The same with a part of the row in each entry, so that it can be read without the row: {@link
   * IndexEntry#covered}.
   */
  public IndexDefinition<R, A> covering(Covering<? super R, ?> part) {
    Arguments.notNull("what is covered", part);
    return new IndexDefinition<>(name, attribute, extractor, unique, where, part, revision);
  }

  /** The same with a part that {@link Covering#of} makes of this codec and function. */
  public <C> IndexDefinition<R, A> covering(Codec<C> codec, Function<? super R, ? extends C> part) {
    return covering(Covering.<R, C>of(codec, part));
  }

  /**
   * The same with a number for what cannot be compared, its functions: two programs whose functions
   * differ must give different ones.
   *
   * @param number at least 0, which is what it has without
   */
  public IndexDefinition<R, A> revision(int number) {
    Arguments.inRange("revision", number, 0, Integer.MAX_VALUE);
    return new IndexDefinition<>(name, attribute, extractor, unique, where, covering, number);
  }

  /** The index's name, unique in its table. */
  public String name() {
    return name;
  }

  /** The codec of the attributes. */
  public Codec<A> attribute() {
    return attribute;
  }

  /** Whether no two rows may have one attribute. */
  public boolean isUnique() {
    return unique;
  }

  /** The attributes by which a row is in the index. */
  public Collection<? extends A> attributesOf(R row) {
    Collection<? extends @Nullable A> found = where.test(row) ? extractor.apply(row) : null;
    if (found == null) {
      return List.of();
    }
    List<A> attributes = new ArrayList<>(found.size());
    for (A one : found) {
      if (one != null) {
        attributes.add(one);
      }
    }
    return attributes;
  }

  /** The bytes that an entry of a row has beside attribute and key. */
  public byte[] coveredOf(R row) {
    Covering<? super R, ?> part = covering;
    return part == null ? new byte[0] : part.encode(row);
  }

  /**
   * An entry of this index.
   *
   * @param covered the bytes that it has beside attribute and key, which are copied
   */
  public <K> IndexEntry<A, K> entry(A one, K key, byte[] covered) {
    return new IndexEntry<>(name, coveredCodecId(), one, key, covered);
  }

  private String coveredCodecId() {
    Covering<? super R, ?> part = covering;
    return part == null ? "" : part.codecId();
  }

  /** The text that is compared between programs: all but the functions. */
  public String signature() {
    return String.join(
        "|",
        attribute.id(),
        unique ? "unique" : "many",
        coveredCodecId(),
        Integer.toString(revision));
  }
}
